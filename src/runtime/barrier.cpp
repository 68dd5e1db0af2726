// Barriers.
#include <pthread.h>

#include <bit>
#include <cerrno>
#include <cstring>

#include "runtime/export.hpp"
#include "runtime/locks.hpp"
#include "runtime/memory.hpp"
#include "runtime/scheduler.hpp"

using namespace heddle::runtime;

namespace {

// Barriers are used in turn: who arrives in one generation must not learn of those who arrive in
// the next.
const void* of_generation(const void* barrier, std::uint32_t generation) {
  return static_cast<const char*>(barrier) + (generation & 1);
}

template <typename Visit>
void for_each(std::uint64_t threads, Visit visit) {
  for (; threads != 0; threads &= threads - 1)
    visit(fiber(static_cast<unsigned>(std::countr_zero(threads))));
}

void complete(Barrier& b) {
  for_each(b.who, [&](Fiber& f) { f.generation = {b.who, b.lookers, Fiber::Serial::untold}; });
  b.arrived = 0;
  b.who = b.lookers = 0;
  ++b.generation;
}

// One of a generation is told to be the serial one, whichever, and all of those who look are
// explored; if there are others, it can be one of them. The first who looks decides, when all have
// arrived. (Not the last to arrive: arrivals commute.)
bool is_serial(void* object, std::uint32_t generation) {
  Fiber& self = current();
  const auto [who, lookers, untold] = self.generation;
  const auto count = static_cast<unsigned>(std::popcount(lookers));
  if (self.id != static_cast<unsigned>(std::countr_zero(lookers))) {
    step({.kind = OpKind::hear, .object = object, .value = generation});
    return self.generation.serial == Fiber::Serial::yes;
  }
  const unsigned chosen = choose(count + (who != lookers ? 1 : 0));
  if (count > 1) step({.kind = OpKind::tell, .object = object, .value = generation});
  unsigned k = 0;
  for_each(lookers, [&](Fiber& f) {
    f.generation.serial = k++ == chosen ? Fiber::Serial::yes : Fiber::Serial::no;
  });
  return self.generation.serial == Fiber::Serial::yes;
}

int wait(pthread_barrier_t* object, bool looks) {
  if (!is_running()) return as<Barrier>(object).needed == 1 ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
  auto& b = as<Barrier>(object);
  check_heap(object, 1);
  step_on(OpKind::arrive, object);
  count_effect();
  const std::uint32_t generation = b.generation;
  const std::uint64_t self = std::uint64_t{1} << self_id();
  release_at(of_generation(object, generation));
  b.who |= self;
  if (looks) b.lookers |= self;
  if (++b.arrived == b.needed) complete(b);
  step({.kind = OpKind::leave, .object = object, .value = generation});
  use_object(object);
  acquire_at(of_generation(object, generation));
  return looks && is_serial(object, generation) ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}

}  // namespace

HEDDLE_EXPORT int pthread_barrier_init(pthread_barrier_t* b,
                                       const pthread_barrierattr_t* attributes,
                                       unsigned count) noexcept {
  int shared = PTHREAD_PROCESS_PRIVATE;
  if (attributes != nullptr) pthread_barrierattr_getpshared(attributes, &shared);
  refuse_shared(shared);
  if (count == 0) return EINVAL;
  std::memset(b, 0, sizeof *b);
  as<Barrier>(b).needed = count;
  as<Barrier>(b).incarnation = next_incarnation(b);
  return 0;
}
HEDDLE_EXPORT int pthread_barrier_destroy(pthread_barrier_t* b) noexcept {
  if (is_running() && as<Barrier>(b).arrived != 0)
    misuse("a barrier is destroyed while threads wait at it");
  end_object(b, sizeof *b);
  return 0;
}
HEDDLE_EXPORT int pthread_barrier_wait(pthread_barrier_t* b) noexcept { return wait(b, true); }
HEDDLE_EXPORT int __heddle_barrier_wait(pthread_barrier_t* b) noexcept { return wait(b, false); }
