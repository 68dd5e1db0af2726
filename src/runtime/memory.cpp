#include "runtime/memory.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "runtime/channel.hpp"
#include "runtime/clocks.hpp"
#include "runtime/details.hpp"
#include "runtime/ending.hpp"
#include "runtime/export.hpp"
#include "runtime/findings.hpp"
#include "runtime/granules.hpp"
#include "runtime/heap.hpp"
#include "runtime/idle.hpp"
#include "runtime/image.hpp"
#include "runtime/modules.hpp"
#include "runtime/scheduler.hpp"
#include "runtime/shadow.hpp"
#include "runtime/updates.hpp"
#include "runtime/visible.hpp"

namespace heddle::runtime {
namespace {

using abi::Ordering;
using abi::Site;

// Only the thread's own stack is looked at: elsewhere, that might fault before the program does.
void note_plain_write(Fiber& self, const void* address, std::uint64_t size) {
  settle(self);
  if (is_on_stack(self.id, address))
    note_update(self, address, size, true);
  else
    count_effect(self);
}

// In an atomic block every access is part of the block's event, and synchronises with those of
// other blocks.
[[gnu::noinline]] void access_in_block(Fiber& self, const void* address, std::uint64_t size,
                                       bool writes, const Site* site) {
  check_heap(address, size);
  record_range(address, size, writes);
  order_read(self.id, address, size, Ordering::sequential);
  check_access(self.id, address, size, writes ? bit_write : 0, site);
  if (writes) order_write(self.id, address, size, Ordering::sequential, true, false);
}

[[gnu::noinline]] void access_visibly(Fiber& self, const void* address, std::uint64_t size,
                                      bool writes, const Site* site) {
  step({.kind = writes ? OpKind::store : OpKind::load,
        .plain = true,
        .object = const_cast<void*>(address),
        .size = size});
  check_heap(address, size);
  const unsigned plain = settings().races == abi::Races::report ? bit_plain : 0;
  check_access(self.id, address, size, static_cast<std::uint8_t>(plain | (writes ? bit_write : 0)),
               site);
}

[[gnu::always_inline]] inline void plain(const void* address, std::uint64_t size, bool writes,
                                         const Site* site) {
  Fiber& self = current();
  self.site = site;
  if (writes) note_plain_write(self, address, size);
  if (!is_concurrent() || is_trying()) return check_heap(address, size);
  if (self.in_atomic != 0) return access_in_block(self, address, size, writes, site);
  if (any_visible() && is_visible(address, size))
    return access_visibly(self, address, size, writes, site);
  check_heap(address, size);
  check_access(self.id, address, size,
               static_cast<std::uint8_t>(bit_plain | (writes ? bit_write : 0)), site);
}

// Whether this loop, having gone round, may do so again. (Of more loops in one another than are
// counted, the innermost may not.)
bool may_go_round(Fiber::Rounds& rounds, std::uint64_t effects, const Site* loop) {
  if (rounds.effects != effects) {
    rounds.effects = effects;
    rounds.loops = 0;
  }
  std::uint32_t k = 0;
  while (k < rounds.loops && rounds.sites[k] != loop) ++k;
  if (k == std::size(rounds.sites)) return false;
  if (k == rounds.loops) {
    rounds.sites[k] = loop;
    rounds.counts[k] = 0;
    ++rounds.loops;
  }
  return ++rounds.counts[k] < settings().waiting_rounds;
}

// Below all that the thread has on its stack: a variable of a function that has returned.
bool is_past(const Fiber& owner, const void* address) {
  if (owner.id == current().id) return address < stack_top();
  return (owner.status == Fiber::Status::live || owner.status == Fiber::Status::spinning) &&
         address < owner.stack_pointer;
}

// On the stack of another thread, or where nothing of the own stack is: it must be there still.
// What is used of it is remembered, to be looked at when it ends.
void check_stack(const void* address, std::uint64_t size) {
  const unsigned id = stack_owner(address);
  Fiber& owner = fiber(id);
  if (is_past(owner, address)) {
    note_freed_use(address, size);
    char text[160];
    std::snprintf(text, sizeof text,
                  "a variable of thread %u is used after its function has returned: {%#lx}", id,
                  reinterpret_cast<unsigned long>(address));
    fail(abi::Finding::use_after_free, text);
  }
  if (id == 0) return;
  if (owner.status == Fiber::Status::ended) {
    note_freed_use(address, size);
    char text[160];
    std::snprintf(text, sizeof text,
                  "a variable on the stack of thread %u is used after the thread has ended: {%#lx}",
                  id, reinterpret_cast<unsigned long>(address));
    fail(abi::Finding::use_after_free, text);
  }
  auto* begin = const_cast<char*>(static_cast<const char*>(address));
  Range& touched = owner.touched;
  if (touched.end == nullptr) touched = {begin, begin};
  touched.begin = std::min(touched.begin, begin);
  touched.end = std::max(touched.end, begin + size);
}

void end_of_thread(Fiber& self, Range memory) {
  const auto size = static_cast<std::uint64_t>(memory.end - memory.begin);
  if (size == 0) return;
  if (any_visible() && is_visible(memory.begin, size))
    step({.kind = OpKind::free, .object = memory.begin, .size = size});
  check_free(self.id, memory.begin, size, self.site);
}

// What ends with the stack of a thread: what others have used, and what is visible, used or not.
// Whether there is a step must not hang on what others happen to have done.
Range end_of_stack(const Fiber& self) {
  Range out = self.touched;
  if (!any_visible()) return out;
  const abi::Settings& s = settings();
  const Range stack = stack_of(self.id);
  for (std::uint32_t k = 0; k < s.visible_count; ++k) {
    auto* at = reinterpret_cast<char*>(s.visible[k] >> abi::mask_bits << abi::granule_bits);
    if (at < stack.begin || at >= stack.end) continue;
    if (out.end == nullptr) out = {at, at};
    out.begin = std::min(out.begin, at);
    out.end = std::max(out.end, at + granule_size);
  }
  return out;
}

// Around the step of an atomic access.
void begin_atomic(Fiber& self, const void* address, const Site* site, bool is_looked_at) {
  self.site = site;
  settle(self);
  if (site->ordering != Ordering::sequential) note(abi::note_atomics_weaker);
  // The scheduler may look at the value: if that faults, it should be here.
  if (is_looked_at) static_cast<void>(*static_cast<const volatile char*>(address));
}

void order(Fiber& self, const void* address, const Site* site, Ordering ordering, bool reads,
           bool writes) {
  if (reads) order_read(self.id, address, site->size, ordering);
  check_access(self.id, address, site->size, writes ? bit_write : 0, site);
  if (writes)
    order_write(self.id, address, site->size, ordering, reads, site->own_stores_continue != 0);
}

// True: it finds what it expects, which is the value or, if it is wider than that, at `wide`.
bool compare_exchange(void* address, const Site* site, std::uint64_t value, const void* wide) {
  Fiber& self = current();
  begin_atomic(self, address, site, true);
  const Op op{.kind = OpKind::compare_exchange,
              .object = address,
              .second = wide,
              .size = site->size,
              .value = value};
  const bool alone = !is_concurrent() || is_trying();
  if (!alone) step(op);
  check_heap(address, site->size);
  const bool finds = exchanges(op);
  if (finds) count_effect(self);
  if (!alone) order(self, address, site, finds ? site->ordering : site->failure, true, finds);
  return finds;
}

void atomic(void* address, const Site* site, OpKind kind, bool reads, bool writes) {
  Fiber& self = current();
  begin_atomic(self, address, site, writes && (reads || has_compares()));
  if (writes && !reads) count_effect(self);
  const bool alone = !is_concurrent() || is_trying();
  if (!alone) step({.kind = kind, .object = address, .size = site->size});
  check_heap(address, site->size);
  if (reads && writes) note_update(self, address, site->size, false);
  if (!alone) order(self, address, site, site->ordering, reads, writes);
}

}  // namespace

void plain_read(const void* from, std::uint64_t size) {
  if (is_running() && size != 0) plain(from, size, false, current().site);
}
void plain_write(const void* to, std::uint64_t size) {
  if (is_running() && size != 0) plain(to, size, true, current().site);
}

void plain_update(const void* at, std::uint64_t size) {
  if (!is_running()) return;
  Fiber& self = current();
  const bool alone = self.in_atomic != 0 || !is_concurrent() || is_trying();
  if (self.in_atomic != 0) plain_read(at, size);
  if (alone || !any_visible() || !is_visible(at, size)) return plain_write(at, size);
  settle(self);
  count_effect(self);
  step({.kind = OpKind::update, .object = const_cast<void*>(at), .size = size});
  check_access(self.id, at, size, bit_write, self.site);
}

// Where the access is a step, others may make the string longer before it is taken.
void read_string(const char* s, std::uint64_t most) {
  const auto size = [&] {
    const std::uint64_t length = strnlen(s, most);
    return length < most ? length + 1 : most;
  };
  std::uint64_t told = 0;
  for (std::uint64_t all = size(); told < all; all = size()) {
    plain_read(s + told, all - told);
    told = all;
  }
}

void use_object(const void* object) {
  if (!is_running()) return;
  check_heap(object, 1);
  if (is_concurrent() && !is_trying()) check_access(current().id, object, 1, 0, current().site);
}

void end_own_memory() {
  Fiber& self = current();
  if (self.id == 0 || is_trying()) return;  // those of the first stay until the process ends
  end_of_thread(self, own_thread_storage_of(self.fs_base));
  end_of_thread(self, end_of_stack(self));
  mark_thread_storage(thread_storage_of(self.fs_base), false);
}

void settle_all() {
  for_threads([](Fiber& f) { settle(f); });
  if (is_explaining()) settle_accesses();
}

void end_memory(void* memory, std::uint64_t size) {
  if (!is_running() || !is_concurrent() || is_trying() || size == 0) return;
  if (any_visible() && is_visible(memory, size))
    step({.kind = OpKind::free, .object = memory, .size = size});
  check_free(current().id, memory, size, current().site);
}

void end_writes(void* memory, std::uint64_t size) {
  if (!is_running() || !is_concurrent() || is_trying() || size == 0) return;
  check_end_of_writes(current().id, memory, size, current().site);
}

void check_heap_closely(const void* address, std::uint64_t size) {
  if (reinterpret_cast<std::uint64_t>(address) < abi::heap_begin) return check_stack(address, size);
  const HeapError error = heap_error(address, size);
  if (error.kind == abi::Finding::none) [[likely]]
    return;
  if (error.kind == abi::Finding::use_after_free) note_freed_use(address, size);
  if (error.kind == abi::Finding::use_after_free && is_explaining()) note_spot_of_free(address);
  char text[160];
  std::snprintf(text, sizeof text, "%s: {%#lx}", error.text,
                reinterpret_cast<unsigned long>(address));
  fail(error.kind, text);
}

}  // namespace heddle::runtime

using namespace heddle::runtime;
using heddle::abi::Site;

HEDDLE_EXPORT void __heddle_read(const void* address, const Site* site) {
  if (is_running()) plain(address, site->size, false, site);
}
HEDDLE_EXPORT void __heddle_write(void* address, const Site* site) {
  if (is_running()) plain(address, site->size, true, site);
}
HEDDLE_EXPORT void __heddle_read_range(const void* address, std::uint64_t size, const Site* site) {
  if (is_running() && size != 0) plain(address, size, false, site);
}
HEDDLE_EXPORT void __heddle_write_range(void* address, std::uint64_t size, const Site* site) {
  if (is_running() && size != 0) plain(address, size, true, site);
}

HEDDLE_EXPORT void __heddle_end(const void* address, const Site* site) {
  if (!is_running() || !is_concurrent() || is_trying()) return;
  Fiber& self = current();
  if (self.in_atomic != 0) return;
  self.site = site;
  if (any_visible() && is_visible(address, site->size))
    return access_visibly(self, address, site->size, true, site);
  check_access(self.id, address, site->size, bit_plain | bit_write, site);
}

HEDDLE_EXPORT void __heddle_load(const void* address, const Site* site) {
  if (is_running()) atomic(const_cast<void*>(address), site, OpKind::load, true, false);
}
HEDDLE_EXPORT void __heddle_store(void* address, const Site* site) {
  if (is_running()) atomic(address, site, OpKind::store, false, true);
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
// The function that does it reads what is expected, and writes there what it finds instead.
HEDDLE_EXPORT void __heddle_compare_exchange_at(void* address, const Site* site, void* expected) {
  if (!is_running()) return;
  plain(expected, site->size, false, site);
  const std::uint64_t value = site->size <= 8 ? value_at(expected, site->size) : 0;
  if (!compare_exchange(address, site, value, expected)) plain(expected, site->size, true, site);
}

HEDDLE_EXPORT void __heddle_fence(const Site* site) {
  if (!is_running()) return;
  current().site = site;
  if (is_concurrent()) order_fence(current().id, site->ordering);
}

HEDDLE_EXPORT void __heddle_call(const Site* site, const heddle::abi::Module* module,
                                 std::uint32_t callee) {
  module->called[callee] |= heddle::abi::called_directly;
  if (!is_running()) return;
  current().site = site;
  if (is_trying() && site->size == heddle::abi::untracked_call) try_effect();
}

// A function that the runtime is called from, for as long as it has not returned.
#define HEDDLE_CALLER __builtin_frame_address(0)

HEDDLE_EXPORT std::uint64_t __heddle_loop(bool enters, const Site* site) {
  if (!is_running()) return 0;
  settle(current());
  if (enters && is_trying()) try_entry(site, HEDDLE_CALLER);
  return current().effects.number();
}

HEDDLE_EXPORT void __heddle_spin(std::uint64_t effects, const Site* site) {
  if (!is_running()) return;
  settle(current());
  if (current().effects.number() != effects) return;
  if (is_trying()) return try_spin(site, HEDDLE_CALLER);
  if (settings().waiting_rounds > 1 && may_go_round(current().rounds, effects, site)) return;
  if (!must_go_round(current())) stop_spinning(site, HEDDLE_CALLER);
}
