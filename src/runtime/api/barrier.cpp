// Barriers.
#include <pthread.h>

#include <bit>
#include <cerrno>
#include <climits>
#include <cstring>

#include "runtime/api/initialisers.hpp"
#include "runtime/api/locks.hpp"
#include "runtime/api/uses.hpp"
#include "runtime/kernel/clocks.hpp"
#include "runtime/kernel/current.hpp"
#include "runtime/kernel/incarnations.hpp"
#include "runtime/kernel/objects.hpp"
#include "runtime/kernel/scheduler.hpp"
#include "runtime/memory/memory.hpp"
#include "runtime/sys/export.hpp"

using namespace heddle::runtime;

namespace {

constexpr std::uint64_t size = sizeof(pthread_barrier_t);

// A thread that leaves acquires from those that arrived in its own generation, however many
// generations have passed meanwhile. (Above the bits of an address there is room for the number.)
const void* of_generation(const void* barrier, std::uint32_t generation) {
  constexpr unsigned bits = object_bits - heddle::abi::address_bits;
  return reinterpret_cast<const void*>(reinterpret_cast<std::uint64_t>(barrier) |
                                       std::uint64_t{generation & ((1U << bits) - 1)}
                                           << heddle::abi::address_bits);
}

Barrier& usable(void* object) {
  auto& b = as<Barrier>(object);
  check_heap(object, 1);
  if (b.has_ended()) misuse("a barrier is used that has been destroyed, or not initialised");
  return b;
}

template <typename Visit>
void for_each(std::uint64_t threads, Visit visit) {
  for (; threads != 0; threads &= threads - 1)
    visit(fiber(static_cast<unsigned>(std::countr_zero(threads))));
}

void complete(Barrier& b) {
  for_each(b.arrivals,
           [&](Fiber& f) { f.generation = {b.arrivals, b.lookers, Fiber::Serial::untold, true}; });
  b.arrived = 0;
  b.arrivals = b.lookers = 0;
  ++b.generation;
}

// One thread of a generation is told that it is the serial one, any of them, and all that ask are
// explored; if there are threads that do not ask, it can be one of those. The first thread that
// asks decides, when all have arrived. (Not the last to arrive: arrivals commute.)
bool is_serial(void* object, std::uint32_t generation, std::uint32_t incarnation) {
  Fiber& self = current();
  const auto [arrivals, lookers, untold, complete] = self.generation;
  const auto count = static_cast<unsigned>(std::popcount(lookers));
  if (self.id != static_cast<unsigned>(std::countr_zero(lookers))) {
    step({.kind = OpKind::hear, .object = object, .size = incarnation, .value = generation});
    return self.generation.serial == Fiber::Serial::yes;
  }
  const unsigned chosen = choose(count + (arrivals != lookers ? 1 : 0));
  if (count > 1)
    step({.kind = OpKind::tell, .object = object, .size = incarnation, .value = generation});
  unsigned k = 0;
  for_each(lookers, [&](Fiber& f) {
    f.generation.serial = k++ == chosen ? Fiber::Serial::yes : Fiber::Serial::no;
  });
  return self.generation.serial == Fiber::Serial::yes;
}

int wait(pthread_barrier_t* object, bool looks) {
  if (!is_running()) {
    if (as<Barrier>(object).needed > 1) initialise_in_runs("waits");
    return PTHREAD_BARRIER_SERIAL_THREAD;
  }
  usable(object);
  step_on(OpKind::arrive, object);
  Barrier& b = usable(object);
  count_effect();
  const std::uint32_t generation = b.generation, incarnation = b.incarnation;
  const std::uint32_t life = incarnation_of(object);
  const std::uint64_t self = std::uint64_t{1} << self_id();
  release_at(of_generation(object, generation));
  current().generation.complete = false;
  b.arrivals |= self;
  if (looks) b.lookers |= self;
  if (++b.arrived == b.needed) complete(b);
  step({.kind = OpKind::leave,
        .object = object,
        .second = reinterpret_cast<char*>(object) + size - 1,
        .size = incarnation,
        .value = generation});
  acquire_at(of_generation(object, generation));
  leave_object(object, size, life);
  return looks && is_serial(object, generation, incarnation) ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}

// Before initialisation, the content may be anything.
bool is_awaited(const Barrier& b) {
  return b.arrived != 0 && b.arrived < b.needed &&
         b.arrived == static_cast<unsigned>(std::popcount(b.arrivals));
}

}  // namespace

HEDDLE_EXPORT int pthread_barrier_init(pthread_barrier_t* b,
                                       const pthread_barrierattr_t* attributes,
                                       unsigned count) noexcept {
  int shared = PTHREAD_PROCESS_PRIVATE;
  if (attributes != nullptr) pthread_barrierattr_getpshared(attributes, &shared);
  refuse_shared(shared);
  if (count == 0 || count > INT_MAX) return EINVAL;
  tell<"pthread_barrier_init">(HEDDLE_CALLED_FROM, b, attributes, count);
  if (is_running() && is_awaited(as<Barrier>(b)))
    misuse("a barrier is initialised while threads wait at it");
  std::memset(b, 0, sizeof *b);
  as<Barrier>(b).needed = count;
  as<Barrier>(b).incarnation = next_incarnation(b);
  return 0;
}
HEDDLE_EXPORT int pthread_barrier_destroy(pthread_barrier_t* b) noexcept {
  tell<"pthread_barrier_destroy">(HEDDLE_CALLED_FROM, b);
  if (is_running()) {
    if (usable(b).arrived != 0) misuse("a barrier is destroyed while threads wait at it");
    await_leaving(b);
  }
  as<Barrier>(b).needed = 0;
  return 0;
}
HEDDLE_EXPORT int pthread_barrier_wait(pthread_barrier_t* b) noexcept { return wait(b, true); }
HEDDLE_EXPORT int __heddle_barrier_wait(pthread_barrier_t* b) noexcept { return wait(b, false); }
