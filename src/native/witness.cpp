#include "native/witness.hpp"

#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>

#include <algorithm>
#include <csignal>
#include <iterator>

namespace heddle::native {
namespace {

// ptrace takes numbers as pointers.
void* word(long value) { return reinterpret_cast<void*>(value); }

unsigned long message(pid_t process) {
  unsigned long out = 0;
  ptrace(PTRACE_GETEVENTMSG, process, nullptr, &out);
  return out;
}

bool is_sent_by_others(pid_t process) {
  siginfo_t info{};
  if (ptrace(PTRACE_GETSIGINFO, process, nullptr, &info) != 0) return false;
  const bool sent = info.si_code == SI_USER || info.si_code == SI_QUEUE || info.si_code == SI_TKILL;
  return sent && info.si_pid != process;
}

bool stops(int signal) {
  return signal == SIGSTOP || signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU;
}

// Whether the process is in a system call by which it can kill itself.
bool is_in_sending_call(pid_t process) {
  constexpr long calls[] = {SYS_kill,
                            SYS_tkill,
                            SYS_tgkill,
                            SYS_rt_sigqueueinfo,
                            SYS_rt_tgsigqueueinfo,
                            SYS_pidfd_send_signal};
  user_regs_struct registers{};
  if (ptrace(PTRACE_GETREGS, process, nullptr, &registers) != 0) return false;
  return std::ranges::find(calls, static_cast<long>(registers.orig_rax)) != std::end(calls);
}

}  // namespace

void Witness::follow(pid_t child) {
  followed_.clear();
  cause_ = Cause::unknown;
  if (ptrace(PTRACE_SEIZE, child, nullptr,
             word(PTRACE_O_TRACEEXIT | PTRACE_O_TRACEFORK | PTRACE_O_EXITKILL)) == 0)
    followed_.push_back(child);
}

// Skips the child itself, which Worker waits for.
void Witness::look() {
  for (std::size_t k = 1; k < followed_.size(); ++k) {
    int status = 0;
    while (waitpid(followed_[k], &status, WNOHANG | __WALL) == followed_[k])
      if (WIFSTOPPED(status)) handle(followed_[k], status);
  }
}

void Witness::handle(pid_t process, int status) {
  int signal = WSTOPSIG(status);
  switch (status >> 16) {
    case PTRACE_EVENT_EXIT:
      note_end(process);
      signal = 0;
      break;
    case PTRACE_EVENT_FORK:
      followed_.push_back(static_cast<pid_t>(message(process)));
      signal = 0;
      break;
    case 0:
      if (stops(signal) || is_sent_by_others(process)) signal = 0;
      break;
    default:
      signal = 0;
  }
  ptrace(PTRACE_CONT, process, nullptr, word(signal));
}

// Signals from other processes were not delivered to it, except SIGKILL.
void Witness::note_end(pid_t process) {
  const int status = static_cast<int>(message(process));
  if (status == 0 || cause_ != Cause::unknown) return;
  const bool killed = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
  cause_ = killed && !is_in_sending_call(process) ? Cause::others : Cause::itself;
}

}  // namespace heddle::native
