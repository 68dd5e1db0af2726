#include "runtime/api/signals.hpp"

#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>

#include <cstdio>
#include <cstring>

#include "runtime/kernel/current.hpp"
#include "runtime/kernel/findings.hpp"
#include "runtime/kernel/stop.hpp"
#include "runtime/kernel/trying.hpp"
#include "runtime/memory/hidden.hpp"
#include "runtime/sys/process.hpp"

namespace heddle::runtime {
namespace {

using Set = SignalSet;

static_assert(max_signals == _NSIG && max_signals - 1 <= 8 * sizeof(SignalSet));

struct ThreadSignals {
  Set mask;
  PendingSignals pending;
};
constexpr unsigned before_main = abi::max_threads;  // in the place of a thread

struct Signals {
  // When main began.
  SignalAction first_actions[max_signals];
  // Of a run.
  SignalAction actions[max_signals];
  bool actions_changed;
  bool threads_used;  // otherwise nothing is masked or pending for any thread
  ThreadSignals threads[abi::max_threads + 1];
  PendingSignals pending;  // for the process: for the thread that unblocks it first
};
constinit Signals signals{};

constexpr Set bit(int number) { return signal_bit(number); }
constexpr Set never_blocked = bit(SIGKILL) | bit(SIGSTOP);

unsigned own_id() { return is_running() ? current().id : before_main; }
const ThreadSignals& own() { return signals.threads[own_id()]; }
ThreadSignals& used(unsigned id) {
  signals.threads_used = true;
  return signals.threads[id];
}
const Part& own_part() { return hidden.signals[is_running() ? current().id : 0]; }
// What is pending for the process uses the part of signal 0, which does not exist.
const Part& process_part() { return hidden.signal_handlers[0]; }

bool is_plain(const SignalAction& action, void (*what)(int)) {
  return reinterpret_cast<std::uintptr_t>(action.handler) == reinterpret_cast<std::uintptr_t>(what);
}

bool is_ignored(int number) {
  const SignalAction& action = signals.actions[number];
  if (is_plain(action, SIG_IGN)) return true;
  return is_plain(action, SIG_DFL) &&
         (number == SIGCHLD || number == SIGURG || number == SIGWINCH || number == SIGCONT);
}

void take_unblocked();

// If several can be received at once, the system prepares one call after the other, each to be made
// before the one prepared last: so the first to run is the last that could be received.
void run_handler(int number, siginfo_t info) {
  current().round.open = false;  // what it does is not part of a round of a loop
  const SignalAction action = signals.actions[number];
  const Set before = own().mask;
  Set& mask = used(own_id()).mask;
  mask |= action.mask | ((action.flags & SA_NODEFER) != 0 ? 0 : bit(number));
  mask &= ~never_blocked;
  if ((action.flags & SA_RESETHAND) != 0) {
    change(hidden.signal_handlers[number]);
    signals.actions[number].handler = nullptr;
    signals.actions_changed = true;
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
  if (is_plain(signals.actions[number], SIG_DFL)) end_by_signal(number);
  if (is_running()) current().effects.count();
  run_handler(number, info);
}

void take_unblocked() {
  siginfo_t info;
  while (const int number = take_pending(~own().mask, info)) take(number, info);
}

void set_mask(Set mask) {
  change(own_part());
  used(own_id()).mask = mask & ~never_blocked;
  if (is_running()) current().effects.count();
  take_unblocked();
}

// Signals that are ignored are not even kept, unless they are blocked.
void send_to_self(int number, const siginfo_t& info) {
  if (is_trying()) try_effect();
  if ((own().mask & bit(number)) == 0) return take(number, info);
  change(own_part());
  used(own_id()).pending.add(info);
}

// Where a handler would interrupt another thread is not explored.
void send_to(unsigned id, int number, const siginfo_t& info) {
  if (is_trying()) try_effect();
  change(hidden.signals[id]);
  look_at(hidden.signal_handlers[number]);
  if ((signals.threads[id].mask & bit(number)) != 0) {
    used(id).pending.add(info);
    return;
  }
  if (is_ignored(number)) return;
  if (is_plain(signals.actions[number], SIG_DFL)) end_by_signal(number);
  unsupported("a signal whose handler would interrupt another thread");
}

// Pending signals of a number that is now ignored are discarded.
void discard(int number) {
  const auto discard_from = [&](const Part& part, PendingSignals& pending) {
    look_at(part);
    if ((pending.numbers() & bit(number)) == 0) return;
    change(part);
    pending.discard(number);
  };
  discard_from(process_part(), signals.pending);
  if (!is_running()) return discard_from(own_part(), signals.threads[before_main].pending);
  for_threads(
      [&](const Fiber& f) { discard_from(hidden.signals[f.id], signals.threads[f.id].pending); });
}

}  // namespace

void begin_signals(unsigned id) {
  signals.threads[id].mask = id == 0 ? signals.threads[before_main].mask : own().mask;
  signals.threads[id].pending.clear();
  if (id != 0) return;
  signals.threads[id].pending = signals.threads[before_main].pending;
  signals.threads_used = signals.threads[0].mask != 0 || signals.threads[0].pending.numbers() != 0;
}
void begin_with_mask(unsigned id, std::uint64_t mask) { used(id).mask = mask & ~never_blocked; }

bool is_signal(int number) {
  return number >= 1 && number < static_cast<int>(max_signals) && number != 32 && number != 33;
}

bool has_handler(int number) {
  return is_signal(number) && !is_plain(signals.actions[number], SIG_DFL) && !is_ignored(number);
}

std::uint64_t signal_mask() { return own().mask; }
void set_signal_mask(std::uint64_t mask) { set_mask(mask); }

void end_by_signal(int number) {
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

int take_pending(Set wanted, siginfo_t& info) {
  look_at(own_part());
  look_at(process_part());
  PendingSignals& mine = signals.threads[own_id()].pending;
  const bool is_own = (mine.numbers() & wanted) != 0;
  PendingSignals& from = is_own ? mine : signals.pending;
  if ((from.numbers() & wanted) == 0) return 0;
  change(is_own ? own_part() : process_part());
  info = from.take(wanted);
  return info.si_signo;
}

SignalSet pending_signals() {
  look_at(own_part());
  look_at(process_part());
  return own().pending.numbers() | signals.pending.numbers();
}

void suspend(SignalSet mask) {
  const Set before = own().mask;
  used(own_id()).mask = mask & ~never_blocked;
  siginfo_t info;
  const int number = take_pending(~own().mask, info);
  if (number == 0) unsupported("waiting for a signal that is not pending");
  take(number, info);
  set_mask(before);
}

const SignalAction& signal_action(int number) { return signals.actions[number]; }

void set_signal_action(int number, const SignalAction& action) {
  signals.actions[number] = action;
  signals.actions_changed = true;
  if (is_running()) current().effects.count();
  if (is_ignored(number)) discard(number);
}

siginfo_t info_of(int number, int code, sigval value) {
  siginfo_t info{};
  info.si_signo = number;
  info.si_code = code;
  info.si_pid = static_cast<pid_t>(system_call(SYS_getpid));
  info.si_uid = static_cast<uid_t>(system_call(SYS_getuid));
  info.si_value = value;
  return info;
}

void send_to_thread(unsigned id, int number, const siginfo_t& info) {
  id == own_id() ? send_to_self(number, info) : send_to(id, number, info);
}

void send_to_process(int number, const siginfo_t& info) {
  unsigned takers = 0;
  for_threads([&](const Fiber& f) {
    const bool is_there = f.status != Fiber::Status::ended && f.status != Fiber::Status::failed;
    takers += is_there && (signals.threads[f.id].mask & bit(number)) == 0 ? 1 : 0;
  });
  look_at(hidden.signal_handlers[number]);
  const bool handled = !is_ignored(number) && !is_plain(signals.actions[number], SIG_DFL);
  if (takers > 1 && handled) note(abi::note_signal);
  if (takers == 0 || (own().mask & bit(number)) == 0) {
    if (takers != 0) return send_to_self(number, info);
    change(process_part());
    signals.pending.add(info);
    return;
  }
  for_threads([&](const Fiber& f) {
    if (takers == 0 || (signals.threads[f.id].mask & bit(number)) != 0) return;
    takers = 0;
    send_to(f.id, number, info);
  });
}

void raise_signal(int number) { send_to_self(number, info_of(number, SI_TKILL)); }

void remember_signals() {
  std::memcpy(signals.first_actions, signals.actions, sizeof signals.actions);
  signals.actions_changed = false;
}
void restore_signals() {
  if (signals.actions_changed)
    std::memcpy(signals.actions, signals.first_actions, sizeof signals.actions);
  signals.actions_changed = false;
  signals.pending.clear();
}
void save_signals(Savepoint& into) {
  // Most programs use none of this.
  into.undo(
      [](void*, std::uint64_t) {
        restore_signals();
        if (signals.threads_used)
          for_threads([](const Fiber& f) {
            signals.threads[f.id].mask = 0;
            signals.threads[f.id].pending.clear();
          });
        signals.threads_used = false;
      },
      nullptr, 0);
  if (signals.actions_changed) {
    into.keep(signals.actions_changed);
    into.keep(signals.actions);
  }
  signals.pending.save(into);
  if (!signals.threads_used) return;
  into.keep(signals.threads_used);
  for_threads([&](const Fiber& f) {
    into.keep(signals.threads[f.id].mask);
    signals.threads[f.id].pending.save(into);
  });
}

}  // namespace heddle::runtime
