#include "runtime/memory/memory.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "runtime/kernel/access_bits.hpp"
#include "runtime/kernel/clocks.hpp"
#include "runtime/kernel/details.hpp"
#include "runtime/kernel/explain.hpp"
#include "runtime/kernel/findings.hpp"
#include "runtime/kernel/gluing.hpp"
#include "runtime/kernel/granules.hpp"
#include "runtime/kernel/messages.hpp"
#include "runtime/kernel/modules.hpp"
#include "runtime/kernel/objects.hpp"
#include "runtime/kernel/operations.hpp"
#include "runtime/kernel/scheduler.hpp"
#include "runtime/kernel/stop.hpp"
#include "runtime/kernel/thread_storage.hpp"
#include "runtime/kernel/updates.hpp"
#include "runtime/kernel/value.hpp"
#include "runtime/kernel/visible.hpp"
#include "runtime/memory/hidden_parts.hpp"
#include "runtime/memory/shadow.hpp"
#include "runtime/sys/export.hpp"
#include "runtime/sys/mapping.hpp"
#include "runtime/wire/channel.hpp"

namespace heddle::runtime {
namespace {

using abi::Ordering;
using abi::Site;
using Undone = Fiber::Undone;

// What an access does. A write in a loop is not an effect if it leaves memory as it was; so where
// it is a step, it is ordered with all other writes.
enum class Does { read, write, write_in_loop };

[[gnu::noinline]] void access_visibly(Fiber& self, const void* address, std::uint64_t size,
                                      Does does, const Site* site) {
  const bool writes = does != Does::read;
  step({.kind = writes ? OpKind::store : OpKind::load,
        .ordered = does == Does::write_in_loop,
        .plain = true,
        .object = const_cast<void*>(address),
        .size = size});
  check_heap(address, size);
  const unsigned plain = settings().races == abi::Races::report ? bit_plain : 0;
  check_access(self.id, address, size, static_cast<std::uint8_t>(plain | (writes ? bit_write : 0)),
               site);
  if (!writes) note_round_read(self, address, size);
}

// An access of an atomic block. All of them synchronise with those of other blocks.
void access_in_block(Fiber& self, const void* address, std::uint64_t size, bool writes,
                     const Site* site) {
  if (writes) self.block.changed = true;
  check_heap(address, size);
  if (!is_possible(address)) [[unlikely]]
    static_cast<void>(*static_cast<const volatile char*>(address));  // faults
  record_range(address, size, writes);
  order_read(self.id, address, size, Ordering::sequential);
  check_access(self.id, address, size, writes ? bit_write : 0, site);
  if (writes) order_write(self.id, address, size, Ordering::sequential, true, false);
}

[[gnu::always_inline]] inline void access_plainly(Fiber& self, const void* address,
                                                  std::uint64_t size, Does does, const Site* site) {
  const bool writes = does != Does::read;
  if (is_alone()) {
    if (writes && is_judging()) check_judging(address);
    return check_heap(address, size);
  }
  if (self.in_atomic != 0) return access_in_block(self, address, size, writes, site);
  if (any_visible() && is_visible(address, size))
    return access_visibly(self, address, size, does, site);
  check_heap(address, size);
  check_access(self.id, address, size,
               static_cast<std::uint8_t>(bit_plain | (writes ? bit_write : 0)), site);
}

[[gnu::always_inline]] inline void read_plainly(const void* address, std::uint64_t size,
                                                const Site* site) {
  Fiber& self = current();
  self.site = site;
  access_plainly(self, address, size, Does::read, site);
}

// What is written there comes next: where all threads that see it are ordered with it, it is not an
// effect if the content stays the same. The old content is read after the checks: the program is to
// fault, not the runtime.
[[gnu::always_inline]] inline void write_plainly(const void* address, std::uint64_t size,
                                                 const Site* site, Does does = Does::write) {
  Fiber& self = current();
  self.site = site;
  settle(self);
  const bool own = is_on_stack(self.id, address);
  const bool compared =
      own || does == Does::write_in_loop || !any_visible() || !is_visible(address, size);
  if (!compared) count_effect(self);
  access_plainly(self, address, size, does, site);
  if (compared) note_update(self, address, size, own ? Undone::seen : Undone::no);
}

// For a library: memory other than the thread's own stack may represent something else.
void write_for_library(const void* address, std::uint64_t size) {
  Fiber& self = current();
  settle(self);
  const bool own = is_on_stack(self.id, address);
  if (!own) count_effect(self);
  access_plainly(self, address, size, Does::write, self.site);
  if (own) note_update(self, address, size, Undone::seen);
}

// Below everything that the thread has on its stack: a variable of a function that has returned.
bool is_past(const Fiber& owner, const void* address) {
  if (owner.id == current().id) return address < stack_top();
  return (owner.status == Fiber::Status::live || owner.status == Fiber::Status::spinning) &&
         address < owner.stack_pointer;
}

// On the stack of another thread, or in the unused part of the own stack: the variable must still
// exist. The part that is used is remembered, to be checked when the stack ends.
void check_stack(const void* address, std::uint64_t size) {
  const unsigned id = stack_owner(address);
  Fiber& owner = fiber(id);
  if (&owner != &current()) owner.effects.be_looked_at(address, size);
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

// What ends with the stack of a thread: what other threads have used, and what is visible, used or
// not. Whether there is a step must not depend on what other threads happen to have done.
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

void end_variable(Fiber& self, const void* address, const Site* site) {
  if (self.in_atomic != 0) return;
  self.site = site;
  if (any_visible() && is_visible(address, site->size))
    return access_visibly(self, address, site->size, Does::write, site);
  check_access(self.id, address, site->size, bit_plain | bit_write, site);
}

}  // namespace

void plain_read(const void* from, std::uint64_t size) {
  if (is_running() && size != 0) read_plainly(from, size, current().site);
}
void plain_write(const void* to, std::uint64_t size) {
  if (is_running() && size != 0) write_for_library(to, size);
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
  const bool races =
      settings().races == abi::Races::report && !is_hidden(reinterpret_cast<std::uint64_t>(at));
  check_access(self.id, at, size, races ? bit_plain | bit_write : bit_write, self.site);
}

// Where the access is a step, other threads may make the string longer before it is taken.
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
  if (self.id == 0 || is_trying()) return;  // those of the first thread live until the process ends
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
  current().block.changed = true;
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
  if (is_running()) read_plainly(address, site->size, site);
}
HEDDLE_EXPORT void __heddle_write(void* address, const Site* site) {
  if (is_running()) write_plainly(address, site->size, site);
}
HEDDLE_EXPORT void __heddle_write_in_loop(void* address, const Site* site) {
  if (is_running()) write_plainly(address, site->size, site, Does::write_in_loop);
}
HEDDLE_EXPORT void __heddle_read_range(const void* address, std::uint64_t size, const Site* site) {
  if (is_running() && size != 0) read_plainly(address, size, site);
}
HEDDLE_EXPORT void __heddle_write_range(void* address, std::uint64_t size, const Site* site) {
  if (is_running() && size != 0) write_plainly(address, size, site);
}

// Where states are compared, nothing is left of the variable.
HEDDLE_EXPORT void __heddle_end(void* address, const Site* site) {
  if (!is_running()) return;
  if (is_concurrent() && !is_trying()) end_variable(current(), address, site);
  if (clears_stacks()) std::memset(address, 0, site->size);
}
