// Signals: the functions that programs call.
#include <signal.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstring>

#include "runtime/api/handles.hpp"
#include "runtime/api/limits.hpp"
#include "runtime/api/signals.hpp"
#include "runtime/kernel/current.hpp"
#include "runtime/kernel/stop.hpp"
#include "runtime/memory/hidden.hpp"
#include "runtime/memory/memory.hpp"
#include "runtime/sys/export.hpp"
#include "runtime/sys/process.hpp"

using namespace heddle::runtime;

namespace {

int failed(int error) {
  errno = error;
  return -1;
}

int kill_process(pid_t process, int number, const siginfo_t& info) {
  if (!is_running() || process != system_call(SYS_getpid)) {
    if (is_running() && number != 0) unsupported("a signal to another process");
    const long result = system_call(SYS_kill, process, number);
    return result < 0 ? failed(static_cast<int>(-result)) : 0;
  }
  if (number != 0 && !is_signal(number)) return failed(EINVAL);
  if (number == SIGKILL) end_by_signal(number);
  if (number != 0) send_to_process(number, info);
  return 0;
}

SignalSet set_of(const sigset_t& set) {
  SignalSet out;
  std::memcpy(&out, &set, sizeof out);
  return out;
}
void write_set(sigset_t* to, SignalSet set) {
  plain_write(to, sizeof set);
  std::memset(to, 0, sizeof *to);
  std::memcpy(to, &set, sizeof set);
}

int change_mask(int how, const sigset_t* set, sigset_t* old) {
  const SignalSet before = signal_mask();
  SignalSet wanted = before;
  if (set != nullptr) {
    plain_read(set, sizeof(SignalSet));
    if (how == SIG_BLOCK)
      wanted |= set_of(*set);
    else if (how == SIG_UNBLOCK)
      wanted &= ~set_of(*set);
    else if (how == SIG_SETMASK)
      wanted = set_of(*set);
    else
      return EINVAL;
  }
  if (old != nullptr) write_set(old, before);
  if (set != nullptr) set_signal_mask(wanted);
  return 0;
}

// Returns the handler that was there before, or SIG_ERR.
sighandler_t set_handler(int number, sighandler_t handler, int flags) {
  struct sigaction action{}, old;
  action.sa_handler = handler;
  action.sa_flags = flags;
  if ((flags & SA_NODEFER) == 0) sigaddset(&action.sa_mask, number);
  return sigaction(number, &action, &old) == 0 ? old.sa_handler : SIG_ERR;
}

}  // namespace

HEDDLE_EXPORT int sigaction(int number, const struct sigaction* action,
                            struct sigaction* old) noexcept {
  const bool changes = action != nullptr;
  if (!is_signal(number) || (changes && (number == SIGKILL || number == SIGSTOP)))
    return failed(EINVAL);
  changes ? change(hidden.signal_handlers[number]) : look_at(hidden.signal_handlers[number]);
  const SignalAction before = signal_action(number);
  if (changes) {
    plain_read(action, sizeof *action);
    set_signal_action(number, {action->sa_sigaction, set_of(action->sa_mask), action->sa_flags});
  }
  if (old != nullptr) {
    plain_write(old, sizeof *old);
    *old = {};
    old->sa_sigaction = before.handler;
    std::memcpy(&old->sa_mask, &before.mask, sizeof before.mask);
    old->sa_flags = before.flags;
  }
  return 0;
}
HEDDLE_EXPORT sighandler_t signal(int number, sighandler_t handler) noexcept {
  return set_handler(number, handler, SA_RESTART);
}
HEDDLE_EXPORT sighandler_t bsd_signal(int number, sighandler_t handler) noexcept {
  return set_handler(number, handler, SA_RESTART);
}
HEDDLE_EXPORT sighandler_t ssignal(int number, sighandler_t handler) noexcept {
  return set_handler(number, handler, SA_RESTART);
}
// What `signal` is under strict standards.
HEDDLE_EXPORT sighandler_t __sysv_signal(int number, sighandler_t handler) noexcept {
  return set_handler(number, handler, static_cast<int>(SA_RESETHAND) | SA_NODEFER);
}
HEDDLE_EXPORT sighandler_t sysv_signal(int number, sighandler_t handler) noexcept {
  return __sysv_signal(number, handler);
}
HEDDLE_EXPORT int siginterrupt(int number, int interrupts) noexcept {
  struct sigaction action;
  if (sigaction(number, nullptr, &action) != 0) return -1;
  action.sa_flags = (action.sa_flags & ~SA_RESTART) | (interrupts != 0 ? 0 : SA_RESTART);
  return sigaction(number, &action, nullptr);
}
HEDDLE_EXPORT int sigignore(int number) noexcept {
  return set_handler(number, SIG_IGN, 0) == SIG_ERR ? -1 : 0;
}

HEDDLE_EXPORT int pthread_sigmask(int how, const sigset_t* set, sigset_t* old) noexcept {
  return change_mask(how, set, old);
}
HEDDLE_EXPORT int sigprocmask(int how, const sigset_t* set, sigset_t* old) noexcept {
  const int error = change_mask(how, set, old);
  return error == 0 ? 0 : failed(error);
}
HEDDLE_EXPORT int sighold(int number) noexcept {
  if (!is_signal(number)) return failed(EINVAL);
  set_signal_mask(signal_mask() | signal_bit(number));
  return 0;
}
HEDDLE_EXPORT int sigrelse(int number) noexcept {
  if (!is_signal(number)) return failed(EINVAL);
  set_signal_mask(signal_mask() & ~signal_bit(number));
  return 0;
}
HEDDLE_EXPORT int sigpending(sigset_t* out) noexcept {
  write_set(out, pending_signals());
  return 0;
}

HEDDLE_EXPORT int raise(int number) noexcept {
  if (number == 0) return 0;
  if (!is_signal(number)) return failed(EINVAL);
  if (number == SIGKILL) end_by_signal(number);
  if (is_running())
    raise_signal(number);
  else
    system_call(SYS_kill, system_call(SYS_getpid), number);
  return 0;
}
HEDDLE_EXPORT int gsignal(int number) noexcept { return raise(number); }
HEDDLE_EXPORT int kill(pid_t process, int number) noexcept {
  return kill_process(process, number, info_of(number, SI_USER));
}
HEDDLE_EXPORT int sigqueue(pid_t process, int number, const sigval value) noexcept {
  return kill_process(process, number, info_of(number, SI_QUEUE, value));
}
HEDDLE_EXPORT int pthread_kill(pthread_t handle, int number) noexcept {
  const Fiber* target = fiber_of(handle);
  if (target == nullptr) return ESRCH;
  if (number != 0 && !is_signal(number)) return EINVAL;
  if (number == SIGKILL) end_by_signal(number);
  if (number == 0) return 0;
  send_to_thread(target->id, number, info_of(number, SI_TKILL));
  return 0;
}
HEDDLE_EXPORT int tgkill(pid_t process, pid_t thread, int number) noexcept {
  if (!is_running() || process != system_call(SYS_getpid))
    return kill_process(process, number, info_of(number, SI_TKILL));
  const int error = pthread_kill(static_cast<pthread_t>(thread - process + 1), number);
  return error == 0 ? 0 : failed(error);
}
HEDDLE_EXPORT int killpg(pid_t, int) noexcept { unsupported("a signal to other processes"); }

// They wait only for signals that are pending already.
HEDDLE_EXPORT int sigwaitinfo(const sigset_t* set, siginfo_t* out) {
  plain_read(set, sizeof(SignalSet));
  siginfo_t info;
  const int number = take_pending(set_of(*set), info);
  if (number == 0) unsupported("waiting for a signal that is not pending");
  if (out != nullptr) {
    plain_write(out, sizeof *out);
    *out = info;
  }
  return number;
}
HEDDLE_EXPORT int sigwait(const sigset_t* set, int* out) {
  const int number = sigwaitinfo(set, nullptr);
  plain_write(out, sizeof *out);
  *out = number;
  return 0;
}
HEDDLE_EXPORT int sigtimedwait(const sigset_t* set, siginfo_t* out, const timespec* limit) {
  if (limit != nullptr) plain_read(limit, sizeof *limit);
  if (limit != nullptr && !is_duration(limit)) return failed(EINVAL);
  const bool is_there = (pending_signals() & set_of(*set)) != 0;
  if (!is_there && limit != nullptr && limit->tv_sec == 0 && limit->tv_nsec == 0)
    return failed(EAGAIN);
  return sigwaitinfo(set, out);
}
HEDDLE_EXPORT int sigsuspend(const sigset_t* set) {
  plain_read(set, sizeof(SignalSet));
  suspend(set_of(*set));
  return failed(EINTR);
}
