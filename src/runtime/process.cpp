#include "runtime/process.hpp"

#include <dlfcn.h>
#include <signal.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "runtime/channel.hpp"
#include "runtime/early.hpp"
#include "runtime/explain.hpp"
#include "runtime/export.hpp"
#include "runtime/fiber.hpp"
#include "runtime/mappings.hpp"
#include "runtime/pages.hpp"
#include "runtime/properties.hpp"
#include "runtime/scheduler.hpp"
#include "runtime/signals.hpp"

namespace heddle::runtime {
namespace {

alignas(64) char signal_stack[1 << 16];
alignas(64) char failure_stack[1 << 16];  // a thread that failed never needs its own again
char failure[160];
abi::Finding failure_kind;
Stack fault_stack;

// As the system knows it: the functions of these names are for the program's signals.
using SetAction = int (*)(int, const struct sigaction*, struct sigaction*);

void set_default(int number) {
  struct {
    std::uint64_t handler, flags, restorer, mask;
  } action{};
  system_call(SYS_rt_sigaction, number, reinterpret_cast<long>(&action), 0, sizeof action.mask);
}

void fail_here() { fail(failure_kind, failure, &fault_stack); }

void refuse_handler() { unsupported("a fault that the program has a handler for"); }

const char* name_of(int signal) {
  switch (signal) {
    case SIGSEGV:
      return "segmentation fault";
    case SIGBUS:
      return "bus error";
    case SIGFPE:
      return "arithmetic error";
    case SIGILL:
      return "illegal instruction";
    case SIGTRAP:
      return "trap";
    default:
      return "fatal signal";
  }
}

[[noreturn]] void end_with(abi::Word kind, const char* text, int status) {
  say(text);
  leave_word(kind, text);
  system_call(SYS_exit_group, status);
  __builtin_unreachable();
}

[[noreturn]] void fail_early(int number, const void* address) {
  std::snprintf(failure, sizeof failure, "%s, address %p", name_of(number), address);
  end_before_main(abi::Finding::signal, failure);
}

// Somebody sent it, and not the program: that is no fault of it.
bool is_from_outside(const siginfo_t& info) {
  const bool sent = info.si_code == SI_USER || info.si_code == SI_QUEUE || info.si_code == SI_TKILL;
  return sent && info.si_pid != system_call(SYS_getpid);
}

void on_signal(int number, siginfo_t* info, void* context) {
  if (is_from_outside(*info)) return;
  if (number == SIGSEGV && allow_write(info->si_addr)) return;
  if (!has_begun()) fail_early(number, info->si_addr);
  if (!is_running()) {
    set_default(number);  // ours: the instruction faults again and kills the process
    return;
  }
  auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  if (is_unwinding()) {
    registers[REG_RIP] = reinterpret_cast<greg_t>(give_up_unwinding);
    registers[REG_RSP] = reinterpret_cast<greg_t>(failure_stack + sizeof failure_stack - 8);
    return;
  }
  if (has_handler(number)) {
    registers[REG_RSP] = reinterpret_cast<greg_t>(failure_stack + sizeof failure_stack - 8);
    registers[REG_RIP] = reinterpret_cast<greg_t>(refuse_handler);
    return;
  }
  const bool overflow = number == SIGSEGV && is_stack_overflow(info->si_addr);
  failure_kind = overflow ? abi::Finding::stack_overflow : abi::Finding::signal;
  if (overflow)
    std::snprintf(failure, sizeof failure, "the stack overflows");
  else
    std::snprintf(failure, sizeof failure, "%s, address %p%s", name_of(number), info->si_addr,
                  was_mapped(info->si_addr) ? ", which the run has unmapped or protected" : "");
  if (is_explaining()) fault_stack = current_stack();
  registers[REG_RSP] = reinterpret_cast<greg_t>(failure_stack + sizeof failure_stack - 8);
  registers[REG_RIP] = reinterpret_cast<greg_t>(fail_here);
}

bool has_fixed_addresses() { return (personality(0xffffffff) & ADDR_NO_RANDOMIZE) != 0; }

}  // namespace

long system_call(long number, long a, long b, long c, long d, long e, long f) {
  long result;
  register long r10 asm("r10") = d;
  register long r8 asm("r8") = e;
  register long r9 asm("r9") = f;
  asm volatile("syscall"
               : "=a"(result)
               : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
               : "rcx", "r11", "memory");
  return result;
}

void say(const char* message) {
  char line[1200];
  const int n = std::snprintf(line, sizeof line, "heddle: %s\n", message);
  system_call(SYS_write, 2, reinterpret_cast<long>(line), n);
}

void refuse(const char* why) { end_with(abi::Word::refused, why, 2); }

void refuse_call(const char* name) {
  std::snprintf(failure, sizeof failure,
                "the system refuses the call '%s', which heddle needs: allow it (with Docker, give "
                "--security-opt seccomp=unconfined)",
                name);
  refuse(failure);
}

long needed_call(const char* name, long number, long a, long b, long c, long d) {
  long result;
  do result = system_call(number, a, b, c, d);
  while (result == -EINTR);
  if (result < 0) refuse_call(name);
  return result;
}

void give_up(const char* bug) { end_with(abi::Word::bug, bug, 70); }

void die_like(int status) {
  if (WIFSIGNALED(status)) {
    set_default(WTERMSIG(status));
    system_call(SYS_kill, system_call(SYS_getpid), WTERMSIG(status));
  }
  system_call(SYS_exit_group, WEXITSTATUS(status));
  __builtin_unreachable();
}

void catch_signals() {
  stack_t stack{};
  stack.ss_sp = signal_stack;
  stack.ss_size = sizeof signal_stack;
  needed_call("sigaltstack", SYS_sigaltstack, reinterpret_cast<long>(&stack));
  const auto set_action = reinterpret_cast<SetAction>(dlsym(RTLD_NEXT, "sigaction"));
  struct sigaction action {};
  action.sa_sigaction = on_signal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigset_t needed;
  sigemptyset(&needed);
  for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP}) {
    if (set_action(number, &action, nullptr) != 0) refuse_call("rt_sigaction");
    sigaddset(&needed, number);
  }
  // Whatever who started us left blocked.
  needed_call("rt_sigprocmask", SYS_rt_sigprocmask, SIG_UNBLOCK, reinterpret_cast<long>(&needed), 0,
              8);
}

void fix_addresses(char** arguments) {
  const bool bound = getenv("LD_BIND_NOW") != nullptr;
  if (has_fixed_addresses() && bound) return;
  personality(static_cast<unsigned long>(personality(0xffffffff)) | ADDR_NO_RANDOMIZE);
  if (!has_fixed_addresses() && bound) return;  // containers may refuse it
  setenv("LD_BIND_NOW", "1", 1);
  execute(arguments, environ);
}

void execute(char** arguments, char** environment) {
  for (const char* path : {"/proc/self/exe", static_cast<const char*>(arguments[0])})
    system_call(SYS_execve, reinterpret_cast<long>(path), reinterpret_cast<long>(arguments),
                reinterpret_cast<long>(environment));
  refuse("cannot start the program over: /proc is not there, and its name is no path");
}

}  // namespace heddle::runtime

// With whom this process is to end is the engine's to say, and names of threads are kept elsewhere.
HEDDLE_EXPORT int prctl(int option, ...) {
  long words[4];
  va_list more;
  va_start(more, option);
  for (long& word : words) word = va_arg(more, long);
  va_end(more);
  if (option == PR_SET_PDEATHSIG) return 0;
  if (heddle::runtime::use_name(option, words[0])) return 0;
  const long result =
      heddle::runtime::system_call(SYS_prctl, option, words[0], words[1], words[2], words[3]);
  if (result >= 0) return static_cast<int>(result);
  errno = static_cast<int>(-result);
  return -1;
}
