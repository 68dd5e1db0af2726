// Atomic accesses: each is a step.
//
// What comes after a step is in functions of their own here, so that the frames of threads that
// wait have no variables whose address is taken: all that is dead in them is seen.
#include "runtime/kernel/access_bits.hpp"
#include "runtime/kernel/clocks.hpp"
#include "runtime/kernel/findings.hpp"
#include "runtime/kernel/gluing.hpp"
#include "runtime/kernel/messages.hpp"
#include "runtime/kernel/modules.hpp"
#include "runtime/kernel/operations.hpp"
#include "runtime/kernel/scheduler.hpp"
#include "runtime/kernel/updates.hpp"
#include "runtime/kernel/value.hpp"
#include "runtime/memory/memory.hpp"
#include "runtime/memory/shadow.hpp"
#include "runtime/sys/export.hpp"

namespace heddle::runtime {
namespace {

using abi::Ordering;
using abi::Site;
using Undone = Fiber::Undone;

// Around the step of an atomic access.
[[gnu::noinline]] void begin_atomic(Fiber& self, const void* address, const Site* site,
                                    bool is_looked_at) {
  self.site = site;
  if (is_judging()) fail_judging(Misjudges::synchronises);
  settle(self);
  if (site->ordering != Ordering::sequential) note(abi::note_atomics_weaker);
  // The scheduler may read the value: if that faults, it should be here.
  if (is_looked_at) static_cast<void>(*static_cast<const volatile char*>(address));
}

[[gnu::noinline]] void order(Fiber& self, const void* address, const Site* site, Ordering ordering,
                             bool reads, bool writes) {
  if (reads) order_read(self.id, address, site->size, ordering);
  check_access(self.id, address, site->size, writes ? bit_write : 0, site);
  if (writes)
    order_write(self.id, address, site->size, ordering, reads, site->own_stores_continue != 0);
}

[[gnu::noinline]] bool end_compare_exchange(void* address, const Site* site, std::uint64_t value,
                                            const void* wide, bool alone) {
  Fiber& self = current();
  check_heap(address, site->size);
  const bool finds = exchanges({.kind = OpKind::compare_exchange,
                                .object = address,
                                .second = wide,
                                .size = site->size,
                                .value = value});
  if (finds)
    note_update(self, address, site->size, Undone::no);
  else if (!alone)
    note_round_read(self, address, site->size);
  if (!alone) order(self, address, site, finds ? site->ordering : site->failure, true, finds);
  return finds;
}

// True: it finds what it expects, which is `value` or, if it is wider than that, at `wide`.
bool compare_exchange(void* address, const Site* site, std::uint64_t value, const void* wide) {
  begin_atomic(current(), address, site, true);
  const bool alone = is_alone();
  if (!alone)
    step({.kind = OpKind::compare_exchange,
          .object = address,
          .second = wide,
          .size = site->size,
          .value = value});
  return end_compare_exchange(address, site, value, wide, alone);
}

[[gnu::noinline]] void end_atomic(void* address, const Site* site, bool reads, bool writes,
                                  bool alone) {
  Fiber& self = current();
  check_heap(address, site->size);
  if (reads && writes) note_update(self, address, site->size, Undone::no);
  if (!writes && !alone) note_round_read(self, address, site->size);
  if (!alone) order(self, address, site, site->ordering, reads, writes);
}

void atomic(void* address, const Site* site, OpKind kind, bool reads, bool writes) {
  Fiber& self = current();
  begin_atomic(self, address, site, writes && (reads || has_compares()));
  if (writes && !reads) count_effect(self);
  const bool alone = is_alone();
  if (!alone) step({.kind = kind, .object = address, .size = site->size});
  end_atomic(address, site, reads, writes, alone);
}

// Whether it is an effect depends on what was there: so it is ordered with all other writes. It
// also is one if a thread that reads there from now on does not acquire what it would have acquired
// before: the store has ended the release sequence of another thread.
[[gnu::noinline]] void end_store_in_loop(void* address, const Site* site, bool alone) {
  Fiber& self = current();
  check_heap(address, site->size);
  note_update(self, address, site->size, Undone::no);
  if (alone) return;
  Clock before, after;
  released_at(address, site->size, before);
  order(self, address, site, site->ordering, false, true);
  released_at(address, site->size, after);
  if (!before.is_within(after)) count_effect(self);
}
void store_in_loop(void* address, const Site* site) {
  begin_atomic(current(), address, site, true);
  const bool alone = is_alone();
  if (!alone) step({.kind = OpKind::store, .ordered = true, .object = address, .size = site->size});
  end_store_in_loop(address, site, alone);
}

}  // namespace
}  // namespace heddle::runtime

using namespace heddle::runtime;
using heddle::abi::Site;

extern "C" void __heddle_read(const void* address, const Site* site);
extern "C" void __heddle_write(void* address, const Site* site);

HEDDLE_EXPORT void __heddle_load(const void* address, const Site* site) {
  if (is_running()) atomic(const_cast<void*>(address), site, OpKind::load, true, false);
}
HEDDLE_EXPORT void __heddle_store(void* address, const Site* site) {
  if (is_running()) atomic(address, site, OpKind::store, false, true);
}
HEDDLE_EXPORT void __heddle_store_in_loop(void* address, const Site* site) {
  if (is_running()) store_in_loop(address, site);
}
HEDDLE_EXPORT void __heddle_update(void* address, const Site* site) {
  if (is_running()) atomic(address, site, OpKind::update, true, true);
}

HEDDLE_EXPORT void __heddle_compare_exchange(void* address, const Site* site,
                                             std::uint64_t expected) {
  if (is_running()) compare_exchange(address, site, expected, nullptr);
}
HEDDLE_EXPORT void __heddle_compare_exchange_wide(void* address, const Site* site,
                                                  std::uint64_t low, std::uint64_t high) {
  const std::uint64_t expected[] = {low, high};
  if (is_running()) compare_exchange(address, site, 0, expected);
}
// The function that is called reads what is expected, and writes there what it finds instead.
HEDDLE_EXPORT void __heddle_compare_exchange_at(void* address, const Site* site, void* expected) {
  if (!is_running()) return;
  __heddle_read(expected, site);
  const std::uint64_t value = site->size <= 8 ? value_at(expected, site->size) : 0;
  if (!compare_exchange(address, site, value, expected)) __heddle_write(expected, site);
}

HEDDLE_EXPORT void __heddle_fence(const Site* site) {
  if (!is_running()) return;
  current().site = site;
  if (is_concurrent()) order_fence(current().id, site->ordering);
}
