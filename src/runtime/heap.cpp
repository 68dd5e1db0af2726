#include "runtime/heap.hpp"

#include <malloc.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include <bit>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>

#include "runtime/details.hpp"
#include "runtime/ending.hpp"
#include "runtime/export.hpp"
#include "runtime/image.hpp"
#include "runtime/layout.h"
#include "runtime/memory.hpp"
#include "runtime/process.hpp"
#include "runtime/scheduler.hpp"
#include "runtime/shadow.hpp"
#include "runtime/uses.hpp"
#include "runtime/visible.hpp"

namespace heddle::runtime {
namespace {

using abi::Finding;

using abi::arena_size;
using abi::heap_begin;

using detail::arena_count, detail::heap_size, detail::shadow_begin;
using enum detail::Shadow;

constexpr unsigned initial_arena = abi::max_threads, runtime_arena = initial_arena + 1;

struct Header {
  std::uint64_t size;
  const abi::Site* site;   // where it was allocated
  std::uint64_t previous;  // block of the arena: its offset, or 0
  std::uint64_t mark;      // shows that this is a header
};
constexpr std::uint64_t header_mark = 0x6865646c65626c6b;

bool mapped = false, for_runtime = false;
std::uint64_t used[arena_count];
std::uint64_t last_block[arena_count];  // its offset
std::uint32_t live_blocks;              // of all threads in this run
void** refreed;                         // blocks from before main that this run freed
unsigned refreed_count = 0;

char* arena(unsigned k) { return reinterpret_cast<char*>(heap_begin + k * arena_size); }
std::uint64_t offset_of(const void* p) { return reinterpret_cast<std::uint64_t>(p) - heap_begin; }
bool is_ours(const void* p) { return offset_of(p) < heap_size; }
std::uint8_t* shadow(const void* p) {
  return reinterpret_cast<std::uint8_t*>(shadow_begin + offset_of(p) / 8);
}
Header& header(void* p) { return static_cast<Header*>(p)[-1]; }

void map_heap() {
  map_at(arena(0), heap_size);
  map_at(reinterpret_cast<void*>(shadow_begin), heap_size / 8);
  mapped = true;
}

void mark_live(void* p) {
  const std::uint64_t size = header(p).size;
  std::memset(shadow(p), live, size / 8);
  if (size % 8 != 0) shadow(p)[size / 8] = static_cast<std::uint8_t>(partly | size % 8);
  if (size == 0) *shadow(p) = partly;  // known to be a block, but no byte of it may be used
}

unsigned current_arena() {
  if (for_runtime) return runtime_arena;
  return is_running() ? current().id : initial_arena;
}

constexpr std::uint64_t no_machine_has = std::uint64_t{1} << 40;

// What an earlier run left there must not show; nor is it zero by chance.
constexpr int unset_byte = 0xaa;

void* allocate(std::uint64_t size, std::uint64_t alignment, int fill = unset_byte) {
  if (!mapped) map_heap();
  const unsigned k = current_arena();
  if (is_running()) current().effects.count();
  const std::uint64_t begin = (used[k] + sizeof(Header) + alignment - 1) / alignment * alignment;
  if (size > no_machine_has || alignment > no_machine_has) {
    errno = ENOMEM;
    return nullptr;
  }
  // A program that would get it without us must not be told that there is none.
  if (begin + size + 16 > arena_size) reach_bound(abi::Bound::memory);
  char* p = arena(k) + begin;
  used[k] = (begin + (size == 0 ? 1 : size) + 15) / 16 * 16;
  header(p) = {size, is_running() ? current().site : nullptr, last_block[k], header_mark};
  last_block[k] = begin;
  ++live_blocks;
  std::memset(p, fill, size);
  mark_live(p);
  if (is_running() && is_explaining()) note_block(p, size);
  return p;
}

// Before main there is nobody to tell; but what is freed there is not to be used later.
void release_early(void* p) {
  if (is_ours(p) && header(p).mark == header_mark)
    std::memset(shadow(p), freed, header(p).size == 0 ? 1 : (header(p).size + 7) / 8);
}

// Only what was allocated, and not freed yet, can be freed.
void check_block(void* p) {
  if (!is_ours(p) || header(p).mark != header_mark)
    fail(Finding::invalid_free, "free of something that is not a block of the heap");
  if (*shadow(p) != freed) return;
  note_freed_use(p, 1);
  if (is_explaining()) note_spot_of_free(p);
  char text[80];
  std::snprintf(text, sizeof text, "a block is freed twice: {%#lx}",
                reinterpret_cast<unsigned long>(p));
  fail(Finding::double_free, text);
}

void release(void* p, const void* caller) {
  if (p == nullptr) return;
  if (!is_running()) return release_early(p);
  if (!is_ours(p) || header(p).mark != header_mark) check_block(p);
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
  std::memset(shadow(p), freed, (size + 7) / 8);
  --live_blocks;
  if (is_explaining()) note_freed(p, header(p).size);
  if (offset_of(p) / arena_size == initial_arena) refreed[refreed_count++] = p;
}

// As the C library does: no bytes are a free, and what cannot be had leaves the block as it is.
void* reallocate(void* p, std::uint64_t size, const void* caller) {
  if (p == nullptr) return allocate(size, 16);
  if (is_running()) check_block(p);
  if (size == 0) {
    release(p, caller);
    return nullptr;
  }
  const std::uint64_t old = header(p).size, kept = old < size ? old : size;
  if (!is_in_system(caller)) plain_read(p, kept);
  void* fresh = allocate(size, 16);
  if (fresh == nullptr) return nullptr;
  std::memcpy(fresh, p, kept);
  if (!is_in_system(caller)) plain_write(fresh, kept);
  release(p, caller);
  return fresh;
}

// What the runtime allocated is thread-local storage, to programs.
const char* text_of_freed(const void* address) {
  return offset_of(address) / arena_size == runtime_arena
             ? "a thread-local variable is used after its thread has ended"
             : "memory is used after it was freed";
}

bool is_power_of_two(std::uint64_t n) { return n != 0 && (n & (n - 1)) == 0; }

// What is no power of two counts as the next.
void* allocate_aligned(std::uint64_t alignment, std::uint64_t size) {
  if (alignment > std::uint64_t{1} << 62) {
    errno = EINVAL;
    return nullptr;
  }
  std::uint64_t power = 16;
  while (power < alignment) power *= 2;
  return allocate(size, power);
}

void* allocate_or_throw(std::uint64_t size, std::uint64_t alignment) {
  for (;;) {
    if (void* p = allocate(size, alignment)) return p;
    const std::new_handler handler = std::get_new_handler();
    if (handler == nullptr) throw std::bad_alloc();
    handler();
  }
}

[[noreturn]] void refuse_memory(std::uint64_t size) {
  char text[200];
  std::snprintf(
      text, sizeof text,
      "the system gives no memory: %lu MB of addresses are wanted. Is there a limit? ('ulimit -v' "
      "shows it; heddle wants it unlimited)",
      static_cast<unsigned long>(size >> 20));
  refuse(text);
}

}  // namespace

void* map_anywhere(std::size_t size) {
  const long p = system_call(SYS_mmap, 0, static_cast<long>(size), PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p < 0) refuse_memory(size);
  return reinterpret_cast<void*>(p);
}

void map_at(void* address, std::size_t size) {
  const long p = system_call(
      SYS_mmap, reinterpret_cast<long>(address), static_cast<long>(size), PROT_READ | PROT_WRITE,
      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (p == -ENOMEM) refuse_memory(size);
  if (p != reinterpret_cast<long>(address)) refuse("the addresses that heddle needs are taken");
}

void unmap(void* address, std::size_t size) {
  system_call(SYS_munmap, reinterpret_cast<long>(address), static_cast<long>(size));
}

void set_allocating_for_runtime(bool on) { for_runtime = on; }

Range initial_heap() {
  refreed = static_cast<void**>(map_anywhere((std::uint64_t{live_blocks} + 1) * sizeof(void*)));
  return {arena(initial_arena), arena(initial_arena) + used[initial_arena]};
}

void clear_arena(unsigned thread) {
  if (used[thread] != 0) std::memset(shadow(arena(thread)), outside, used[thread] / 8 + 1);
  used[thread] = last_block[thread] = 0;
  if (thread == 0) live_blocks = 0;  // a new run
}

void restore_freed() {
  while (refreed_count > 0) mark_live(refreed[--refreed_count]);
}

void save_heap(Savepoint& into) {
  into.undo(
      [](void*, std::uint64_t count) {
        while (refreed_count > count) mark_live(refreed[--refreed_count]);
      },
      nullptr, refreed_count);
  into.undo([](void*, std::uint64_t) { for_threads([](const Fiber& f) { clear_arena(f.id); }); },
            nullptr, 0);
  for_threads([&](const Fiber& f) {
    if (used[f.id] == 0) return;
    into.keep(arena(f.id), used[f.id]);
    into.keep(shadow(arena(f.id)), used[f.id] / 8 + 1);
    into.keep(used[f.id]);
    into.keep(last_block[f.id]);
  });
  into.keep(live_blocks);
}

std::uint32_t live_block_count() { return live_blocks; }

void for_live_blocks(unsigned thread, void (*visit)(char* begin, char* end, const abi::Site*)) {
  for (std::uint64_t at = last_block[thread]; at != 0;) {
    char* p = arena(thread) + at;
    const Header& h = header(p);
    if (*shadow(p) != freed) visit(p, p + h.size, h.site);
    at = h.previous;
  }
}

bool is_of_thread(std::uint64_t address) {
  const bool on_stack = address - abi::stacks_begin < abi::stack_size * abi::max_threads;
  return on_stack || (address - heap_begin) / arena_size == runtime_arena;
}

void mark_thread_storage(Range storage, bool usable) {
  std::memset(shadow(storage.begin), usable ? live : freed,
              (static_cast<std::uint64_t>(storage.end - storage.begin) + 7) / 8);
}
void save_thread_marks(Range storage, Savepoint& into) {
  if (*shadow(storage.begin) == live) return;
  into.keep(shadow(storage.begin),
            (static_cast<std::uint64_t>(storage.end - storage.begin) + 7) / 8);
}

void clear_thread_marks(Range storage) {
  if (*shadow(storage.begin) != live) mark_thread_storage(storage, true);
}

HeapError heap_error(const void* address, std::uint64_t size) {
  if (!is_ours(address) || size == 0) return {};
  const std::uint64_t last = (reinterpret_cast<std::uint64_t>(address) + size - 1);
  const std::uint8_t* end = shadow(reinterpret_cast<const void*>(last));
  for (const std::uint8_t* s = shadow(address); s <= end; ++s) {
    if (*s == live) continue;
    if (*s == freed) return {Finding::use_after_free, text_of_freed(address)};
    if ((*s & partly) == 0 || s != end || last % 8 >= (*s & 7U))
      return {Finding::out_of_bounds, "an access beyond the bounds of a block of the heap"};
  }
  return {};
}

}  // namespace heddle::runtime

using namespace heddle::runtime;

HEDDLE_EXPORT void* malloc(std::size_t size) noexcept { return allocate(size, 16); }
HEDDLE_EXPORT void* calloc(std::size_t n, std::size_t size) noexcept {
  std::size_t total;
  if (__builtin_mul_overflow(n, size, &total)) {
    errno = ENOMEM;
    return nullptr;
  }
  return allocate(total, 16, 0);
}
HEDDLE_EXPORT void free(void* p) noexcept { release(p, __builtin_return_address(0)); }
HEDDLE_EXPORT void* realloc(void* p, std::size_t size) noexcept {
  return reallocate(p, size, __builtin_return_address(0));
}
HEDDLE_EXPORT void* reallocarray(void* p, std::size_t n, std::size_t size) noexcept {
  std::size_t total;
  if (__builtin_mul_overflow(n, size, &total)) {
    errno = ENOMEM;
    return nullptr;
  }
  return reallocate(p, total, __builtin_return_address(0));
}
HEDDLE_EXPORT void* memalign(std::size_t alignment, std::size_t size) noexcept {
  return allocate_aligned(alignment, size);
}
HEDDLE_EXPORT void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  return allocate_aligned(alignment, size);
}
HEDDLE_EXPORT void* valloc(std::size_t size) noexcept { return allocate(size, 4096); }
HEDDLE_EXPORT void* pvalloc(std::size_t size) noexcept {
  return allocate((size + 4095) / 4096 * 4096, 4096);
}
HEDDLE_EXPORT int posix_memalign(void** out, std::size_t alignment, std::size_t size) noexcept {
  const auto telling = tell<"posix_memalign">(HEDDLE_CALLED_FROM, out, alignment, size);
  if (!is_power_of_two(alignment) || alignment % sizeof(void*) != 0) return EINVAL;
  const int before = errno;
  void* p = allocate_aligned(alignment, size);
  errno = before;
  if (p == nullptr) return ENOMEM;
  telling.rest();
  *out = p;
  return 0;
}
HEDDLE_EXPORT std::size_t malloc_usable_size(void* p) noexcept {
  return p == nullptr ? 0 : header(p).size;
}

#define HEDDLE_OPERATOR __attribute__((visibility("default")))
HEDDLE_OPERATOR void* operator new(std::size_t n) { return allocate_or_throw(n, 16); }
HEDDLE_OPERATOR void* operator new[](std::size_t n) { return allocate_or_throw(n, 16); }
HEDDLE_OPERATOR void* operator new(std::size_t n, std::align_val_t a) {
  return allocate_or_throw(n, static_cast<std::size_t>(a) < 16 ? 16 : static_cast<std::size_t>(a));
}
HEDDLE_OPERATOR void* operator new[](std::size_t n, std::align_val_t a) {
  return allocate_or_throw(n, static_cast<std::size_t>(a) < 16 ? 16 : static_cast<std::size_t>(a));
}
HEDDLE_OPERATOR void operator delete(void* p) noexcept { release(p, nullptr); }
HEDDLE_OPERATOR void operator delete[](void* p) noexcept { release(p, nullptr); }
HEDDLE_OPERATOR void operator delete(void* p, std::size_t) noexcept { release(p, nullptr); }
HEDDLE_OPERATOR void operator delete[](void* p, std::size_t) noexcept { release(p, nullptr); }
HEDDLE_OPERATOR void operator delete(void* p, std::align_val_t) noexcept { release(p, nullptr); }
HEDDLE_OPERATOR void operator delete[](void* p, std::align_val_t) noexcept { release(p, nullptr); }
HEDDLE_OPERATOR void operator delete(void* p, std::size_t, std::align_val_t) noexcept {
  release(p, nullptr);
}
HEDDLE_OPERATOR void operator delete[](void* p, std::size_t, std::align_val_t) noexcept {
  release(p, nullptr);
}
