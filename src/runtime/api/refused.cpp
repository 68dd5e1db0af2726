// Calls that cannot be controlled: refused when they are reached, not silently run. (Under other
// names in C++: how they are declared and called does not matter.)
#include <sys/syscall.h>

#include "runtime/kernel/stop.hpp"
#include "runtime/sys/export.hpp"
#include "runtime/sys/process.hpp"

namespace {

[[noreturn]] void refuse(const char* name) { heddle::runtime::unsupported(name); }

}  // namespace

#define HEDDLE_REFUSE(name)                       \
  HEDDLE_EXPORT void refused_##name() asm(#name); \
  void refused_##name() { refuse(#name); }
HEDDLE_REFUSE(fork)
HEDDLE_REFUSE(_Fork)
HEDDLE_REFUSE(vfork)
HEDDLE_REFUSE(clone)
HEDDLE_REFUSE(popen)
HEDDLE_REFUSE(execl)
HEDDLE_REFUSE(execle)
HEDDLE_REFUSE(execlp)
HEDDLE_REFUSE(execvpe)
HEDDLE_REFUSE(fexecve)
HEDDLE_REFUSE(execve)
HEDDLE_REFUSE(execv)
HEDDLE_REFUSE(execvp)
HEDDLE_REFUSE(posix_spawn)
HEDDLE_REFUSE(posix_spawnp)
HEDDLE_REFUSE(dlmopen)
HEDDLE_REFUSE(getcontext)
HEDDLE_REFUSE(makecontext)
HEDDLE_REFUSE(swapcontext)
HEDDLE_REFUSE(system)
HEDDLE_REFUSE(pthread_sigqueue)
// Signals that come by themselves, at any time, or that are waited for.
HEDDLE_REFUSE(setitimer)
HEDDLE_REFUSE(timer_create)
HEDDLE_REFUSE(ualarm)
HEDDLE_REFUSE(pause)
HEDDLE_REFUSE(sigpause)
HEDDLE_REFUSE(__xpg_sigpause)
HEDDLE_REFUSE(sigset)
HEDDLE_REFUSE(sigblock)
HEDDLE_REFUSE(sigsetmask)
HEDDLE_REFUSE(signalfd)

// No alarm is set, so there is none to be cancelled.
HEDDLE_EXPORT unsigned alarm(unsigned seconds) {
  if (seconds != 0) refuse("alarm");
  return 0;
}
// The C library would start threads of its own for these.
HEDDLE_REFUSE(aio_read)
HEDDLE_REFUSE(aio_read64)
HEDDLE_REFUSE(aio_write)
HEDDLE_REFUSE(aio_write64)
HEDDLE_REFUSE(aio_fsync)
HEDDLE_REFUSE(lio_listio)
HEDDLE_REFUSE(lio_listio64)
HEDDLE_REFUSE(getaddrinfo_a)
HEDDLE_REFUSE(mq_notify)
// Memory that is not put back. Where it ends may be asked.
HEDDLE_EXPORT void* sbrk(long increment) {
  if (increment != 0) refuse("sbrk");
  return reinterpret_cast<void*>(heddle::runtime::system_call(SYS_brk));
}
HEDDLE_REFUSE(brk)
HEDDLE_REFUSE(shmat)
