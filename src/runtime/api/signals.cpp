#include "runtime/api/signals.hpp"

#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "runtime/api/handles.hpp"
#include "runtime/api/limits.hpp"
#include "runtime/api/pending_signals.hpp"
#include "runtime/kernel/current.hpp"
#include "runtime/kernel/findings.hpp"
#include "runtime/kernel/stop.hpp"
#include "runtime/kernel/trying.hpp"
#include "runtime/memory/hidden.hpp"
#include "runtime/memory/memory.hpp"
#include "runtime/sys/export.hpp"
#include "runtime/sys/process.hpp"

namespace heddle::runtime {
namespace {

using Set = SignalSet;

struct Action {
  // Or SIG_DFL, or SIG_IGN. It has one argument or three.
  void (*handler)(int, siginfo_t*, void*);
  Set mask;
  int flags;
};
static_assert(max_signals == _NSIG && max_signals - 1 <= 8 * sizeof(SignalSet));
Action actions[max_signals], first_actions[max_signals];
bool actions_changed = false;  // in this run

struct State {
  Set mask;
  PendingSignals pending;
};
State states[abi::max_threads + 1];
constexpr unsigned before_main = abi::max_threads;  // in the place of a thread
bool states_used = false;  // in this run: otherwise nothing is masked or pending for any thread
PendingSignals pending_for_process;  // for the thread that unblocks it first

constexpr Set bit(int number) { return signal_bit(number); }
constexpr Set never_blocked = bit(SIGKILL) | bit(SIGSTOP);

bool is_valid(int number) {  // two are the C library's own
  return number >= 1 && number < static_cast<int>(max_signals) && number != 32 && number != 33;
}

unsigned own_id() { return is_running() ? current().id : before_main; }
const State& own() { return states[own_id()]; }
State& used_state(unsigned id) {
  states_used = true;
  return states[id];
}
const Part& own_part() { return hidden.signals[is_running() ? current().id : 0]; }
// What is pending for the process uses the part of signal 0, which does not exist.
const Part& process_part() { return hidden.signal_handlers[0]; }

bool is_plain(const Action& action, void (*what)(int)) {
  return reinterpret_cast<std::uintptr_t>(action.handler) == reinterpret_cast<std::uintptr_t>(what);
}

bool is_ignored(int number) {
  const Action& action = actions[number];
  if (is_plain(action, SIG_IGN)) return true;
  return is_plain(action, SIG_DFL) &&
         (number == SIGCHLD || number == SIGURG || number == SIGWINCH || number == SIGCONT);
}

[[noreturn]] void take_by_default(int number) {
  if (number == SIGSTOP || number == SIGTSTP || number == SIGTTIN || number == SIGTTOU)
    unsupported("a signal that stops the process");
  if (number == SIGKILL) system_call(SYS_kill, system_call(SYS_getpid), SIGKILL);
  char text[80];
  const char* name = sigabbrev_np(number);
  if (name != nullptr)
    std::snprintf(text, sizeof text, "SIG%s ends the process", name);
  else
    std::snprintf(text, sizeof text, "signal %d ends the process", number);
  fail(number == SIGABRT ? abi::Finding::abort : abi::Finding::signal, text);
}

void take_unblocked();

// If several can be received at once, the system prepares one call after the other, each to be made
// before the one prepared last: so the first to run is the last that could be received.
void run_handler(int number, siginfo_t info) {
  current().round.open = false;  // what it does is not part of a round of a loop
  const Action action = actions[number];
  const Set before = own().mask;
  Set& mask = used_state(own_id()).mask;
  mask |= action.mask | ((action.flags & SA_NODEFER) != 0 ? 0 : bit(number));
  mask &= ~never_blocked;
  if ((action.flags & SA_RESETHAND) != 0) {
    change(hidden.signal_handlers[number]);
    actions[number].handler = nullptr;
    actions_changed = true;
  }
  take_unblocked();
  ucontext_t context{};
  std::memcpy(&context.uc_sigmask, &before, sizeof before);
  action.handler(number, &info, &context);
  std::memcpy(&mask, &context.uc_sigmask, sizeof before);
  take_unblocked();
}

void take(int number, const siginfo_t& info) {
  look_at(hidden.signal_handlers[number]);
  if (is_ignored(number)) return;
  if (is_plain(actions[number], SIG_DFL)) take_by_default(number);
  if (is_running()) current().effects.count();
  run_handler(number, info);
}

// One that is pending and in the set, if there is one: 0 if not. The thread's own come first.
int take_pending(Set wanted, siginfo_t& info) {
  look_at(own_part());
  look_at(process_part());
  PendingSignals& mine = states[own_id()].pending;
  const bool is_own = (mine.numbers() & wanted) != 0;
  PendingSignals& from = is_own ? mine : pending_for_process;
  if ((from.numbers() & wanted) == 0) return 0;
  change(is_own ? own_part() : process_part());
  info = from.take(wanted);
  return info.si_signo;
}

void take_unblocked() {
  siginfo_t info;
  while (const int number = take_pending(~own().mask, info)) take(number, info);
}

void set_mask(Set mask) {
  change(own_part());
  used_state(own_id()).mask = mask & ~never_blocked;
  if (is_running()) current().effects.count();
  take_unblocked();
}

siginfo_t info_of(int number, int code, sigval value = {}) {
  siginfo_t info{};
  info.si_signo = number;
  info.si_code = code;
  info.si_pid = static_cast<pid_t>(system_call(SYS_getpid));
  info.si_uid = static_cast<uid_t>(system_call(SYS_getuid));
  info.si_value = value;
  return info;
}

// Signals that are ignored are not even kept, unless they are blocked.
void send_to_self(int number, const siginfo_t& info) {
  if (is_trying()) try_effect();
  if ((own().mask & bit(number)) == 0) return take(number, info);
  change(own_part());
  used_state(own_id()).pending.add(info);
}

// Where a handler would interrupt another thread is not explored.
int send_to(unsigned id, int number, const siginfo_t& info) {
  if (is_trying()) try_effect();
  change(hidden.signals[id]);
  look_at(hidden.signal_handlers[number]);
  if ((states[id].mask & bit(number)) != 0) {
    used_state(id).pending.add(info);
    return 0;
  }
  if (is_ignored(number)) return 0;
  if (is_plain(actions[number], SIG_DFL)) take_by_default(number);
  unsupported("a signal whose handler would interrupt another thread");
}

void send_to_process(int number, const siginfo_t& info) {
  unsigned takers = 0;
  for_threads([&](const Fiber& f) {
    const bool is_there = f.status != Fiber::Status::ended && f.status != Fiber::Status::failed;
    takers += is_there && (states[f.id].mask & bit(number)) == 0 ? 1 : 0;
  });
  look_at(hidden.signal_handlers[number]);
  const bool handled = !is_ignored(number) && !is_plain(actions[number], SIG_DFL);
  if (takers > 1 && handled) note(abi::note_signal);
  if (takers == 0 || (own().mask & bit(number)) == 0) {
    if (takers != 0) return send_to_self(number, info);
    change(process_part());
    pending_for_process.add(info);
    return;
  }
  for_threads([&](const Fiber& f) {
    if (takers == 0 || (states[f.id].mask & bit(number)) != 0) return;
    takers = 0;
    send_to(f.id, number, info);
  });
}

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
  if (number != 0 && !is_valid(number)) return failed(EINVAL);
  if (number == SIGKILL) take_by_default(number);
  if (number != 0) send_to_process(number, info);
  return 0;
}

// Pending signals of a number that is now ignored are discarded.
void discard(int number) {
  const auto discard_from = [&](const Part& part, PendingSignals& pending) {
    look_at(part);
    if ((pending.numbers() & bit(number)) == 0) return;
    change(part);
    pending.discard(number);
  };
  discard_from(process_part(), pending_for_process);
  if (!is_running()) return discard_from(own_part(), states[before_main].pending);
  for_threads([&](const Fiber& f) { discard_from(hidden.signals[f.id], states[f.id].pending); });
}

Set set_of(const sigset_t& set) {
  Set out;
  std::memcpy(&out, &set, sizeof out);
  return out;
}
void write_set(sigset_t* to, Set set) {
  plain_write(to, sizeof set);
  std::memset(to, 0, sizeof *to);
  std::memcpy(to, &set, sizeof set);
}

int change_mask(int how, const sigset_t* set, sigset_t* old) {
  const Set before = own().mask;
  Set wanted = before;
  if (set != nullptr) {
    plain_read(set, sizeof(Set));
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
  if (set != nullptr) set_mask(wanted);
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

void begin_signals(unsigned id) {
  states[id].mask = id == 0 ? states[before_main].mask : own().mask;
  states[id].pending.clear();
  if (id != 0) return;
  states[id].pending = states[before_main].pending;
  states_used = states[0].mask != 0 || states[0].pending.numbers() != 0;
}
void begin_with_mask(unsigned id, std::uint64_t mask) {
  used_state(id).mask = mask & ~never_blocked;
}

bool has_handler(int number) {
  return is_valid(number) && !is_plain(actions[number], SIG_DFL) && !is_ignored(number);
}

std::uint64_t signal_mask() { return own().mask; }
void set_signal_mask(std::uint64_t mask) { set_mask(mask); }

void raise_signal(int number) { send_to_self(number, info_of(number, SI_TKILL)); }

void remember_signals() {
  std::memcpy(first_actions, actions, sizeof actions);
  actions_changed = false;
}
void restore_signals() {
  if (actions_changed) std::memcpy(actions, first_actions, sizeof actions);
  actions_changed = false;
  pending_for_process.clear();
}
void save_signals(Savepoint& into) {
  // Most programs use none of this.
  into.undo(
      [](void*, std::uint64_t) {
        restore_signals();
        if (states_used)
          for_threads([](const Fiber& f) {
            states[f.id].mask = 0;
            states[f.id].pending.clear();
          });
        states_used = false;
      },
      nullptr, 0);
  if (actions_changed) {
    into.keep(actions_changed);
    into.keep(actions);
  }
  pending_for_process.save(into);
  if (!states_used) return;
  into.keep(states_used);
  for_threads([&](const Fiber& f) {
    into.keep(states[f.id].mask);
    states[f.id].pending.save(into);
  });
}

}  // namespace heddle::runtime

using namespace heddle::runtime;

HEDDLE_EXPORT int sigaction(int number, const struct sigaction* action,
                            struct sigaction* old) noexcept {
  const bool changes = action != nullptr;
  if (!is_valid(number) || (changes && (number == SIGKILL || number == SIGSTOP)))
    return failed(EINVAL);
  changes ? change(hidden.signal_handlers[number]) : look_at(hidden.signal_handlers[number]);
  Action& known = actions[number];
  const Action before = known;
  if (changes) {
    plain_read(action, sizeof *action);
    known = {action->sa_sigaction, set_of(action->sa_mask), action->sa_flags};
    actions_changed = true;
    if (is_running()) current().effects.count();
    if (is_ignored(number)) discard(number);
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
  if (!is_valid(number)) return failed(EINVAL);
  set_mask(own().mask | bit(number));
  return 0;
}
HEDDLE_EXPORT int sigrelse(int number) noexcept {
  if (!is_valid(number)) return failed(EINVAL);
  set_mask(own().mask & ~bit(number));
  return 0;
}
HEDDLE_EXPORT int sigpending(sigset_t* out) noexcept {
  look_at(own_part());
  look_at(process_part());
  write_set(out, own().pending.numbers() | pending_for_process.numbers());
  return 0;
}

HEDDLE_EXPORT int raise(int number) noexcept {
  if (number == 0) return 0;
  if (!is_valid(number)) return failed(EINVAL);
  if (number == SIGKILL) take_by_default(number);
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
  if (number != 0 && !is_valid(number)) return EINVAL;
  if (number == SIGKILL) take_by_default(number);
  if (number == 0) return 0;
  const siginfo_t info = info_of(number, SI_TKILL);
  if (target != &current()) return send_to(target->id, number, info);
  send_to_self(number, info);
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
  plain_read(set, sizeof(Set));
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
  look_at(own_part());
  look_at(process_part());
  const Set pending = own().pending.numbers() | pending_for_process.numbers();
  const bool is_there = (pending & set_of(*set)) != 0;
  if (!is_there && limit != nullptr && limit->tv_sec == 0 && limit->tv_nsec == 0)
    return failed(EAGAIN);
  return sigwaitinfo(set, out);
}
HEDDLE_EXPORT int sigsuspend(const sigset_t* set) {
  plain_read(set, sizeof(Set));
  const Set before = own().mask;
  used_state(own_id()).mask = set_of(*set) & ~never_blocked;
  siginfo_t info;
  const int number = take_pending(~own().mask, info);
  if (number == 0) unsupported("waiting for a signal that is not pending");
  take(number, info);
  set_mask(before);
  return failed(EINTR);
}
