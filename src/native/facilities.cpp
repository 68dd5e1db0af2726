#include "native/facilities.hpp"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <string>

#include "base/check.hpp"

namespace heddle::native {
namespace {

alignas(4096) char own_page[4096];  // shared with nothing else

// By numbers, because functions of the C library may use other calls, or end the process if a call
// fails that normally never does. The kernel's signal sets have eight bytes.
struct Facility {
  const char* name;
  long (*call)();
};
const Facility facilities[] = {
    {"write", [] { return syscall(SYS_write, -1, nullptr, 0); }},
    {"kill", [] { return syscall(SYS_kill, getpid(), 0); }},
    {"wait4", [] { return syscall(SYS_wait4, getpid(), nullptr, WNOHANG, nullptr); }},
    {"rt_sigaction", [] { return syscall(SYS_rt_sigaction, SIGUSR1, nullptr, nullptr, 8); }},
    {"rt_sigprocmask", [] { return syscall(SYS_rt_sigprocmask, SIG_BLOCK, nullptr, nullptr, 8); }},
    {"sigaltstack", [] { return syscall(SYS_sigaltstack, nullptr, nullptr); }},
    {"mprotect",
     [] { return syscall(SYS_mprotect, own_page, sizeof own_page, PROT_READ | PROT_WRITE); }},
};

}  // namespace

// Other errors concern the arguments, such as a missing file or child.
void check_facilities() {
  for (const auto& [name, call] : facilities) {
    if (call() != -1 || (errno != EPERM && errno != ENOSYS && errno != EACCES)) continue;
    throw Misuse(std::string("the system refuses the call '") + name + "', which heddle needs (" +
                 std::strerror(errno) +
                 "): allow it (with Docker, give --security-opt seccomp=unconfined)");
  }
}

}  // namespace heddle::native
