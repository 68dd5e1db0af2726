// Functions and operators that allocate and free memory.
#include <malloc.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <new>

#include "runtime/api/uses.hpp"
#include "runtime/kernel/current.hpp"
#include "runtime/memory/heap.hpp"
#include "runtime/memory/memory.hpp"
#include "runtime/sys/export.hpp"
#include "runtime/sys/system_code.hpp"

namespace heddle::runtime {
namespace {

// As the C library does: a size of 0 frees the block, and a failed allocation leaves it as it is.
void* reallocate(void* p, std::uint64_t size, const void* caller) {
  if (p == nullptr) return allocate(size, 16);
  if (is_running()) check_block(p);
  if (size == 0) {
    free_block(p, caller);
    return nullptr;
  }
  const std::uint64_t old = size_of_block(p), kept = old < size ? old : size;
  if (!is_in_system(caller)) plain_read(p, kept);
  void* fresh = allocate(size, 16);
  if (fresh == nullptr) return nullptr;
  std::memcpy(fresh, p, kept);
  if (!is_in_system(caller)) plain_write(fresh, kept);
  free_block(p, caller);
  return fresh;
}

bool is_power_of_two(std::uint64_t n) { return n != 0 && (n & (n - 1)) == 0; }

// An alignment that is not a power of two counts as the next one.
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

}  // namespace
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
HEDDLE_EXPORT void free(void* p) noexcept { free_block(p, __builtin_return_address(0)); }
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
  return p == nullptr ? 0 : size_of_block(p);
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
HEDDLE_OPERATOR void operator delete(void* p) noexcept { free_block(p, nullptr); }
HEDDLE_OPERATOR void operator delete[](void* p) noexcept { free_block(p, nullptr); }
HEDDLE_OPERATOR void operator delete(void* p, std::size_t) noexcept { free_block(p, nullptr); }
HEDDLE_OPERATOR void operator delete[](void* p, std::size_t) noexcept { free_block(p, nullptr); }
HEDDLE_OPERATOR void operator delete(void* p, std::align_val_t) noexcept { free_block(p, nullptr); }
HEDDLE_OPERATOR void operator delete[](void* p, std::align_val_t) noexcept {
  free_block(p, nullptr);
}
HEDDLE_OPERATOR void operator delete(void* p, std::size_t, std::align_val_t) noexcept {
  free_block(p, nullptr);
}
HEDDLE_OPERATOR void operator delete[](void* p, std::size_t, std::align_val_t) noexcept {
  free_block(p, nullptr);
}
