#include "runtime/api/system.hpp"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include <csignal>
#include <cstdarg>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "runtime/api/cancellation.hpp"
#include "runtime/api/channels.hpp"
#include "runtime/api/descriptor_state.hpp"
#include "runtime/api/futex.hpp"
#include "runtime/api/identity.hpp"
#include "runtime/api/initialisers.hpp"
#include "runtime/api/known_calls.hpp"
#include "runtime/api/properties.hpp"
#include "runtime/api/signals.hpp"
#include "runtime/api/uses.hpp"
#include "runtime/kernel/current.hpp"
#include "runtime/kernel/fiber.hpp"
#include "runtime/kernel/findings.hpp"
#include "runtime/kernel/stop.hpp"
#include "runtime/memory/mappings.hpp"
#include "runtime/memory/memory.hpp"
#include "runtime/memory/pages.hpp"
#include "runtime/sys/export.hpp"
#include "runtime/sys/imports.hpp"
#include "runtime/sys/process.hpp"

namespace heddle::runtime {
namespace {

// Where the buffer says to continue: the C library hides it with a key that it keeps for each
// thread.
bool is_own_stack(const __jmp_buf_tag* buffer) {
  std::uint64_t key;
  asm("movq %%fs:0x30, %0" : "=r"(key));
  const auto hidden = static_cast<std::uint64_t>(buffer->__jmpbuf[6]);
  const std::uint64_t pointer = (hidden >> 17 | hidden << 47) ^ key;
  return is_on_stack(current().id, reinterpret_cast<const void*>(pointer));
}

using Jump = void (*)(__jmp_buf_tag*, int);
struct RealFunctions {
  Jump jump;
};
constinit RealFunctions real{};

[[noreturn]] void jump(__jmp_buf_tag* buffer, int value) {
  if (is_running() && !is_own_stack(buffer))
    unsupported("longjmp to where another thread called setjmp");
  real.jump(buffer, value);
  __builtin_unreachable();
}

// Calls that cannot be controlled, as in refused.cpp.
const char* refused_call(long number, const long* a) {
  switch (number) {
    case SYS_brk:  // asking where it is, is allowed
      return a[0] == 0 ? nullptr : "brk";
    case SYS_clone:
    case SYS_clone3:
    case SYS_fork:
    case SYS_vfork:
      return "a system call that makes a process or a thread";
    case SYS_execve:
    case SYS_execveat:
      return "execve";
    case SYS_pipe:
    case SYS_pipe2:
      return "pipe";
    case SYS_socketpair:
      return "socketpair";
    case SYS_eventfd:
    case SYS_eventfd2:
      return "eventfd";
    case SYS_exit:
      return "a system call that ends a thread";
    case SYS_shmat:
      return "shmat";
    case SYS_io_uring_setup:
      return "io_uring";
    default:
      return nullptr;
  }
}

template <typename T>
T* pointer(long argument) {
  return reinterpret_cast<T*>(argument);
}

// Calls whose functions of the same name are stood in for. False: it is none of them.
bool call_function(long number, const long* a, long& result) {
  const auto size = [&](int k) { return static_cast<std::size_t>(a[k]); };
  const auto number_at = [&](int k) { return static_cast<int>(a[k]); };
  switch (number) {
    case SYS_mmap:
      result = map_memory(a[0], size(1), number_at(2), number_at(3), number_at(4), a[5]);
      return true;
    case SYS_munmap:
      result = unmap_memory(a[0], size(1));
      return true;
    case SYS_mremap:
      result = remap_memory(a[0], size(1), size(2), number_at(3), a[4]);
      return true;
    case SYS_mprotect:
      result = protect_memory(a[0], size(1), number_at(2));
      return true;
    case SYS_madvise:
      result = advise_memory(a[0], size(1), number_at(2));
      return true;
    case SYS_sched_setaffinity:
      if (is_running()) tell_call(number, a);
      result = set_processors(number_at(0), size(1), pointer<const cpu_set_t>(a[2]));
      return true;
    case SYS_sched_getaffinity:
      if (is_running()) tell_call(number, a);
      result = get_processors(number_at(0), size(1), pointer<cpu_set_t>(a[2]));
      return true;
    case SYS_exit_group:
      _exit(number_at(0));
    default:
      return call_on_descriptors(number, a, result) || call_on_identity(number, a, result);
  }
}

// The system's sets of signals are one word.
int set_mask(int how, const std::uint64_t* set, std::uint64_t* old) {
  sigset_t given{}, before{};
  if (set != nullptr) {
    plain_read(set, sizeof *set);
    std::memcpy(&given, set, sizeof *set);
  }
  const int result = sigprocmask(how, set == nullptr ? nullptr : &given, &before);
  if (result != 0 || old == nullptr) return result;
  plain_write(old, sizeof *old);
  std::memcpy(old, &before, sizeof *old);
  return 0;
}

long of_errno(long result) { return result == -1 ? -errno : result; }

// The same for those that report errors as functions do.
bool call_library(long number, const long* a, long& result) {
  const auto clock = static_cast<clockid_t>(a[0]);
  switch (number) {
    case SYS_read:
      result = read(static_cast<int>(a[0]), pointer<void>(a[1]), static_cast<std::size_t>(a[2]));
      break;
    case SYS_open:
      result = open(pointer<const char>(a[0]), static_cast<int>(a[1]), static_cast<mode_t>(a[2]));
      break;
    case SYS_openat:
      result = openat(static_cast<int>(a[0]), pointer<const char>(a[1]), static_cast<int>(a[2]),
                      static_cast<mode_t>(a[3]));
      break;
    case SYS_close:
      result = close(static_cast<int>(a[0]));
      break;
    case SYS_dup:
      result = dup(static_cast<int>(a[0]));
      break;
    case SYS_dup2:
      result = dup2(static_cast<int>(a[0]), static_cast<int>(a[1]));
      break;
    case SYS_dup3:
      result = dup3(static_cast<int>(a[0]), static_cast<int>(a[1]), static_cast<int>(a[2]));
      break;
    case SYS_prctl:
      result = prctl(static_cast<int>(a[0]), a[1], a[2], a[3], a[4]);
      break;
    case SYS_gettimeofday:
      result = gettimeofday(pointer<timeval>(a[0]), pointer<void>(a[1]));
      break;
    case SYS_time:
      result = time(pointer<time_t>(a[0]));
      break;
    case SYS_rt_sigprocmask:
      result = set_mask(static_cast<int>(a[0]), pointer<const std::uint64_t>(a[1]),
                        pointer<std::uint64_t>(a[2]));
      break;
    case SYS_clock_gettime:
      result = clock_gettime(clock, pointer<timespec>(a[1]));
      break;
    case SYS_nanosleep:
      result = nanosleep(pointer<const timespec>(a[0]), pointer<timespec>(a[1]));
      break;
    case SYS_clock_nanosleep:
      result = -clock_nanosleep(clock, static_cast<int>(a[1]), pointer<const timespec>(a[2]),
                                pointer<timespec>(a[3]));
      return true;
    case SYS_sched_yield:
      result = sched_yield();
      break;
    case SYS_getrandom:
      result = getrandom(pointer<void>(a[0]), static_cast<std::size_t>(a[1]),
                         static_cast<unsigned>(a[2]));
      break;
    default:
      return false;
  }
  result = of_errno(result);
  return true;
}

}  // namespace

void find_jump() { real.jump = reinterpret_cast<Jump>(dlsym(RTLD_NEXT, "siglongjmp")); }

}  // namespace heddle::runtime

using namespace heddle::runtime;

namespace {
// `looks`: the caller uses the result.
long call_system(long number, va_list list, bool looks) {
  long a[6];
  for (long& argument : a) argument = va_arg(list, long);
  long result = 0;
  if (number == SYS_futex && !is_running() && is_futex_wait(a)) initialise_in_runs("waits");
  if (is_running()) {
    if (number == SYS_futex) return futex(a, looks);
    if (number == SYS_gettid) return gettid();
    if (number == SYS_kill) return kill(static_cast<pid_t>(a[0]), static_cast<int>(a[1]));
    if (number == SYS_tgkill)
      return tgkill(static_cast<pid_t>(a[0]), static_cast<pid_t>(a[1]), static_cast<int>(a[2]));
    if (number == SYS_tkill)
      return tgkill(getpid(), static_cast<pid_t>(a[0]), static_cast<int>(a[1]));
    if (number == SYS_rt_sigaction) unsupported("a system call for signals");
    if (const char* what = refused_call(number, a)) unsupported(what);
    if (call_library(number, a, result)) return result_of(result);
  }
  const bool known = call_function(number, a, result);
  if (!known && is_running() && !tell_call(number, a)) note(heddle::abi::note_raw_call);
  if (!known) result = system_call(number, a[0], a[1], a[2], a[3], a[4], a[5]);
  return result_of(result);
}
}  // namespace

HEDDLE_EXPORT long syscall(long number, ...) noexcept {
  va_list list;
  va_start(list, number);
  const long result = call_system(number, list, true);
  va_end(list);
  return result;
}
HEDDLE_EXPORT long __heddle_syscall(long number, ...) noexcept {
  va_list list;
  va_start(list, number);
  const long result = call_system(number, list, false);
  va_end(list);
  return result;
}

// The system writes without a fault that could be handled.
HEDDLE_EXPORT ssize_t read(int fd, void* buffer, std::size_t size) {
  if (is_channel(fd)) {
    const iovec part{buffer, size};
    return channels().read(fd, &part, 1, 0);
  }
  cancellation_point();
  allow_writes(buffer, size);
  tell<"read">(HEDDLE_CALLED_FROM, fd, buffer, size);
  return result_of(
      system_call(SYS_read, fd, reinterpret_cast<long>(buffer), static_cast<long>(size)));
}

HEDDLE_EXPORT void* mmap(void* a, std::size_t n, int protection, int flags, int fd,
                         off_t offset) noexcept {
  return pointer<void>(
      result_of(map_memory(reinterpret_cast<long>(a), n, protection, flags, fd, offset)));
}
HEDDLE_EXPORT void* mmap64(void* a, std::size_t n, int protection, int flags, int fd,
                           off_t offset) noexcept {
  return mmap(a, n, protection, flags, fd, offset);
}
HEDDLE_EXPORT int munmap(void* address, std::size_t size) noexcept {
  return static_cast<int>(result_of(unmap_memory(reinterpret_cast<long>(address), size)));
}
HEDDLE_EXPORT void* mremap(void* address, std::size_t old_size, std::size_t size, int flags,
                           ...) noexcept {
  va_list list;
  va_start(list, flags);
  const long to = (flags & MREMAP_FIXED) != 0 ? va_arg(list, long) : 0;
  va_end(list);
  return pointer<void>(
      result_of(remap_memory(reinterpret_cast<long>(address), old_size, size, flags, to)));
}
HEDDLE_EXPORT int mprotect(void* address, std::size_t size, int protection) noexcept {
  return static_cast<int>(
      result_of(protect_memory(reinterpret_cast<long>(address), size, protection)));
}
HEDDLE_EXPORT int madvise(void* address, std::size_t size, int advice) noexcept {
  return static_cast<int>(result_of(advise_memory(reinterpret_cast<long>(address), size, advice)));
}

HEDDLE_EXPORT void longjmp(jmp_buf buffer, int value) noexcept { jump(buffer, value); }
HEDDLE_EXPORT void _longjmp(jmp_buf buffer, int value) noexcept { jump(buffer, value); }
HEDDLE_EXPORT void siglongjmp(sigjmp_buf buffer, int value) noexcept {
  if (buffer->__mask_was_saved != 0) set_signal_mask(buffer->__saved_mask.__val[1]);
  jump(buffer, value);
}
