#include "runtime/memory/heap.hpp"

#include <sys/mman.h>
#include <sys/syscall.h>

#include <bit>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "runtime/abi/layout.h"
#include "runtime/kernel/current.hpp"
#include "runtime/kernel/details.hpp"
#include "runtime/kernel/explain.hpp"
#include "runtime/kernel/messages.hpp"
#include "runtime/kernel/scheduler.hpp"
#include "runtime/kernel/stop.hpp"
#include "runtime/kernel/visible.hpp"
#include "runtime/memory/shadow.hpp"
#include "runtime/sys/check.hpp"
#include "runtime/sys/system_code.hpp"

namespace heddle::runtime {
namespace {

using abi::Finding;

using abi::arena_size;
using abi::heap_begin;
using enum Shadow::Value;

struct Header {
  std::uint64_t size;
  const abi::Site* site;   // where it was allocated
  std::uint64_t previous;  // block of the arena: its offset, or 0
  std::uint64_t mark;      // identifies this as a header
};
constexpr std::uint64_t header_mark = 0x6865646c65626c6b;

struct Heap {
  bool mapped;
  bool for_runtime;  // allocating
  // Of a run, in the arenas of its threads.
  std::uint64_t used[arena_count];
  std::uint64_t last_block[arena_count];  // its offset
  std::uint32_t live_blocks;              // of all threads
  unsigned refreed_count;
  void** refreed;  // blocks from before main that it freed
};
constinit Heap heap{};

char* arena(unsigned k) { return reinterpret_cast<char*>(heap_begin + k * arena_size); }
Header& header(void* p) { return static_cast<Header*>(p)[-1]; }

void map_heap() {
  map_at(arena(0), heap_size);
  map_at(reinterpret_cast<void*>(shadow_begin), heap_size / 8);
  heap.mapped = true;
}

void mark_live(void* p) {
  const std::uint64_t size = header(p).size;
  std::memset(shadow_of(p), live, size / 8);
  if (size % 8 != 0) shadow_of(p)[size / 8] = static_cast<std::uint8_t>(partly | size % 8);
  if (size == 0) *shadow_of(p) = partly;  // known to be a block, but no byte of it may be used
}

unsigned current_arena() {
  if (heap.for_runtime) return runtime_arena;
  return is_running() ? current().id : initial_arena;
}

// A terabyte: an allocation that is taken to fail without Heddle, too, and has to fail with it.
constexpr std::uint64_t no_machine_has = std::uint64_t{1} << 40;

// Before main there is no run to report a finding in; but what is freed there must not be used
// later.
void release_early(void* p) {
  if (is_in_heap(p) && header(p).mark == header_mark)
    std::memset(shadow_of(p), freed, header(p).size == 0 ? 1 : (header(p).size + 7) / 8);
}

// To programs, what the runtime allocated is thread-local storage.
const char* text_of_freed(const void* address) {
  return heap_offset(address) / arena_size == runtime_arena
             ? "a thread-local variable is used after its thread has ended"
             : "memory is used after it was freed";
}

}  // namespace

void* allocate(std::uint64_t size, std::uint64_t alignment, int fill) {
  if (is_judging()) [[unlikely]]
    fail_judging(Misjudges::allocates);
  HEDDLE_RUNTIME_CHECK(alignment >= 16 && std::has_single_bit(alignment));
  if (!heap.mapped) map_heap();
  const unsigned k = current_arena();
  if (is_running()) current().effects.count();
  const std::uint64_t begin =
      (heap.used[k] + sizeof(Header) + alignment - 1) / alignment * alignment;
  if (size > no_machine_has || alignment > no_machine_has) {
    errno = ENOMEM;
    return nullptr;
  }
  // A program that would get the memory without Heddle must not see the allocation fail.
  if (begin + size + 16 > arena_size) reach_bound(abi::Bound::memory);
  char* p = arena(k) + begin;
  heap.used[k] = (begin + (size == 0 ? 1 : size) + 15) / 16 * 16;
  header(p) = {size, is_running() ? current().site : nullptr, heap.last_block[k], header_mark};
  heap.last_block[k] = begin;
  ++heap.live_blocks;
  std::memset(p, fill, size);
  mark_live(p);
  if (is_running() && is_explaining()) note_block(p, size);
  return p;
}

// Only a block that was allocated, and is not freed yet, can be freed.
void check_block(void* p) {
  if (!is_in_heap(p) || header(p).mark != header_mark)
    fail(Finding::invalid_free, "free of something that is not a block of the heap");
  if (*shadow_of(p) != freed) return;
  note_freed_use(p, 1);
  if (is_explaining()) note_spot_of_free(p);
  char text[80];
  std::snprintf(text, sizeof text, "a block is freed twice: {%#lx}",
                reinterpret_cast<unsigned long>(p));
  fail(Finding::double_free, text);
}

void free_block(void* p, const void* caller) {
  if (is_judging() && p != nullptr) [[unlikely]]
    fail_judging(Misjudges::allocates);
  if (p == nullptr) return;
  if (!is_running()) return release_early(p);
  if (!is_in_heap(p) || header(p).mark != header_mark) check_block(p);
  Fiber& self = current();
  self.effects.count();
  const std::uint64_t size = header(p).size == 0 ? 1 : header(p).size;
  // Never yield while the C library may hold a lock of its own.
  if (is_concurrent() && !is_trying() && !is_in_system(caller)) {
    if (any_visible() && is_visible(p, size))
      step({.kind = OpKind::free, .object = p, .size = size});
    check_free(self.id, p, size, self.site);
  }
  check_block(p);
  std::memset(shadow_of(p), freed, (size + 7) / 8);
  if (is_explaining()) note_freed(p, header(p).size);
  if (heap_offset(p) / arena_size == initial_arena)
    heap.refreed[heap.refreed_count++] = p;
  else
    --heap.live_blocks;
}

std::uint64_t size_of_block(void* p) { return header(p).size; }

void set_allocating_for_runtime(bool on) { heap.for_runtime = on; }

Range initial_heap() {
  heap.refreed =
      static_cast<void**>(map_anywhere((std::uint64_t{heap.live_blocks} + 1) * sizeof(void*)));
  return {arena(initial_arena), arena(initial_arena) + heap.used[initial_arena]};
}

void clear_arena(unsigned thread) {
  if (heap.used[thread] != 0)
    std::memset(shadow_of(arena(thread)), outside, heap.used[thread] / 8 + 1);
  heap.used[thread] = heap.last_block[thread] = 0;
  if (thread == 0) heap.live_blocks = 0;  // a new run
}

void restore_freed() {
  while (heap.refreed_count > 0) mark_live(heap.refreed[--heap.refreed_count]);
}

void save_heap(Savepoint& into) {
  into.undo(
      [](void*, std::uint64_t count) {
        while (heap.refreed_count > count) mark_live(heap.refreed[--heap.refreed_count]);
      },
      nullptr, heap.refreed_count);
  into.undo([](void*, std::uint64_t) { for_threads([](const Fiber& f) { clear_arena(f.id); }); },
            nullptr, 0);
  for_threads([&](const Fiber& f) {
    if (heap.used[f.id] == 0) return;
    into.keep(arena(f.id), heap.used[f.id]);
    into.keep(shadow_of(arena(f.id)), heap.used[f.id] / 8 + 1);
    into.keep(heap.used[f.id]);
    into.keep(heap.last_block[f.id]);
  });
  into.keep(heap.live_blocks);
}

void digest_heap(StateHash& into) {
  using Of = StateHash::Of;
  for (unsigned k = 0; k < heap.refreed_count; ++k) into.add_words(Of::freed, heap.refreed[k]);
  for_threads([&](const Fiber& f) {
    if (heap.used[f.id] == 0) return;
    into.add_words(Of::arena, f.id, heap.used[f.id], heap.last_block[f.id]);
    for (std::uint64_t at = heap.last_block[f.id]; at != 0;) {
      const char* const p = arena(f.id) + at;
      const Header& h = reinterpret_cast<const Header*>(p)[-1];
      const bool is_freed = *shadow_of(p) == freed;
      into.add_words(Of::block, p, h.size, is_freed);
      if (!is_freed) into.add(p, h.size);
      at = h.previous;
    }
  });
}

std::uint32_t live_block_count() { return heap.live_blocks; }

void for_live_blocks(unsigned thread, void (*visit)(char* begin, char* end, const abi::Site*)) {
  for (std::uint64_t at = heap.last_block[thread]; at != 0;) {
    char* p = arena(thread) + at;
    const Header& h = header(p);
    if (*shadow_of(p) != freed) visit(p, p + h.size, h.site);
    at = h.previous;
  }
}

HeapError heap_error(const void* address, std::uint64_t size) {
  if (!is_in_heap(address) || size == 0) return {};
  const std::uint64_t last = (reinterpret_cast<std::uint64_t>(address) + size - 1);
  const std::uint8_t* end = shadow_of(reinterpret_cast<const void*>(last));
  for (const std::uint8_t* s = shadow_of(address); s <= end; ++s) {
    if (*s == live) continue;
    if (*s == freed) return {Finding::use_after_free, text_of_freed(address)};
    if ((*s & partly) == 0 || s != end || last % 8 >= (*s & 7U))
      return {Finding::out_of_bounds, "an access beyond the bounds of a block of the heap"};
  }
  return {};
}

}  // namespace heddle::runtime
