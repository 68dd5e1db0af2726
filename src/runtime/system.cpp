#include "runtime/system.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <setjmp.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdint>
#include <cstring>

#include "runtime/export.hpp"
#include "runtime/fiber.hpp"
#include "runtime/futex.hpp"
#include "runtime/image.hpp"
#include "runtime/imports.hpp"
#include "runtime/memory.hpp"
#include "runtime/process.hpp"
#include "runtime/scheduler.hpp"
#include "runtime/signals.hpp"

namespace heddle::runtime {
namespace {

constexpr long most_files = 1024;
long first_own_file;  // descriptors from here on were opened by a run
bool opens_files;

struct Mapping {
  long address, size;
};
constexpr unsigned max_mappings = 1024;
Mapping mappings[max_mappings];
unsigned mapping_count = 0;

long result_of(long result) {
  if (result >= 0 || result <= -4096) return result;
  errno = static_cast<int>(-result);
  return -1;
}

void* map(void* address, std::size_t size, int protection, int flags, int fd, long offset) {
  const long p = result_of(system_call(SYS_mmap, reinterpret_cast<long>(address),
                                       static_cast<long>(size), protection, flags, fd, offset));
  if (p != -1 && is_running()) {
    if (mapping_count == max_mappings) unsupported("more than 1024 mappings of memory in a run");
    mappings[mapping_count++] = {p, static_cast<long>(size)};
  }
  return reinterpret_cast<void*>(p);
}

// Where the buffer says to go on: the C library hides it with a key that it keeps for each thread.
bool is_own_stack(const __jmp_buf_tag* buffer) {
  std::uint64_t key;
  asm("movq %%fs:0x30, %0" : "=r"(key));
  const auto hidden = static_cast<std::uint64_t>(buffer->__jmpbuf[6]);
  const std::uint64_t pointer = (hidden >> 17 | hidden << 47) ^ key;
  return is_on_stack(current().id, reinterpret_cast<const void*>(pointer));
}

bool is_open(long fd) { return system_call(SYS_fcntl, fd, F_GETFD) >= 0; }

bool has_own_file() { return opens_files && is_open(first_own_file); }

using Jump = void (*)(__jmp_buf_tag*, int);
Jump real_jump;

[[noreturn]] void jump(__jmp_buf_tag* buffer, int value) {
  if (is_running() && !is_own_stack(buffer))
    unsupported("longjmp to where another thread called setjmp");
  real_jump(buffer, value);
  __builtin_unreachable();
}

}  // namespace

void remember_system() {
  real_jump = reinterpret_cast<Jump>(dlsym(RTLD_NEXT, "siglongjmp"));
  first_own_file = 3;
  for (long fd = first_own_file; fd < most_files; ++fd)
    if (is_open(fd)) first_own_file = fd + 1;
  // No numbers are left free below, so that who opens a file gets this one.
  for (long fd = 0; fd >= 0 && fd < first_own_file;) fd = system_call(SYS_fcntl, 2, F_DUPFD, 3);
  system_call(SYS_close_range, first_own_file, ~0U, 0);
  opens_files = may_open_files();
}

bool is_system_as_remembered() { return mapping_count == 0 && !has_own_file(); }

void restore_system() {
  if (has_own_file()) system_call(SYS_close_range, first_own_file, ~0U, 0);
  for (; mapping_count > 0; --mapping_count)
    system_call(SYS_munmap, mappings[mapping_count - 1].address, mappings[mapping_count - 1].size);
}

}  // namespace heddle::runtime

using namespace heddle::runtime;

HEDDLE_EXPORT long syscall(long number, ...) noexcept {
  va_list list;
  va_start(list, number);
  long a[6];
  for (long& argument : a) argument = va_arg(list, long);
  va_end(list);
  if (is_running()) {
    if (number == SYS_futex) return futex(a);
    if (number == SYS_gettid) return gettid();
    if (number == SYS_kill) return kill(static_cast<pid_t>(a[0]), static_cast<int>(a[1]));
    if (number == SYS_tgkill)
      return tgkill(static_cast<pid_t>(a[0]), static_cast<pid_t>(a[1]), static_cast<int>(a[2]));
    if (number == SYS_rt_sigaction || number == SYS_rt_sigprocmask || number == SYS_tkill)
      unsupported("a system call for signals");
    if (number == SYS_clone || number == SYS_clone3 || number == SYS_fork || number == SYS_vfork)
      unsupported("a system call that makes a process or a thread");
  }
  return result_of(system_call(number, a[0], a[1], a[2], a[3], a[4], a[5]));
}

// The system does not ask before it writes.
HEDDLE_EXPORT ssize_t read(int fd, void* buffer, std::size_t size) {
  allow_writes(buffer, size);
  plain_write(buffer, size);
  return result_of(
      system_call(SYS_read, fd, reinterpret_cast<long>(buffer), static_cast<long>(size)));
}

HEDDLE_EXPORT void* mmap(void* a, std::size_t n, int protection, int flags, int fd,
                         off_t offset) noexcept {
  return map(a, n, protection, flags, fd, offset);
}
HEDDLE_EXPORT void* mmap64(void* a, std::size_t n, int protection, int flags, int fd,
                           off_t offset) noexcept {
  return map(a, n, protection, flags, fd, offset);
}
HEDDLE_EXPORT int munmap(void* address, std::size_t size) noexcept {
  for (unsigned k = 0; k < mapping_count; ++k)
    if (mappings[k].address == reinterpret_cast<long>(address))
      mappings[k] = mappings[--mapping_count];
  return static_cast<int>(
      result_of(system_call(SYS_munmap, reinterpret_cast<long>(address), static_cast<long>(size))));
}

HEDDLE_EXPORT void longjmp(jmp_buf buffer, int value) noexcept { jump(buffer, value); }
HEDDLE_EXPORT void _longjmp(jmp_buf buffer, int value) noexcept { jump(buffer, value); }
HEDDLE_EXPORT void siglongjmp(sigjmp_buf buffer, int value) noexcept {
  if (buffer->__mask_was_saved != 0) set_signal_mask(buffer->__saved_mask.__val[1]);
  jump(buffer, value);
}
