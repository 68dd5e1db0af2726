#include "runtime/worker/faults.hpp"

#include <dlfcn.h>
#include <signal.h>
#include <sys/syscall.h>
#include <ucontext.h>

#include <cstdio>

#include "runtime/api/exits.hpp"
#include "runtime/api/signals.hpp"
#include "runtime/kernel/before_main.hpp"
#include "runtime/kernel/current.hpp"
#include "runtime/kernel/explain.hpp"
#include "runtime/kernel/fiber.hpp"
#include "runtime/kernel/stop.hpp"
#include "runtime/memory/mappings.hpp"
#include "runtime/memory/pages.hpp"
#include "runtime/sys/process.hpp"

namespace heddle::runtime {
namespace {

struct Faults {
  // 64 KB each, for the most that a handler does: to unwind a stack. Chosen, with room to spare.
  alignas(64) char signal_stack[1 << 16];
  alignas(64) char failure_stack[1 << 16];  // a thread that failed never needs its own again
  // Of the fault that ends the run.
  abi::Finding kind;
  char text[160];
  Stack stack;
};
constinit Faults faults{};

// As the system has it: the functions of these names are for the program's signals.
using SetAction = int (*)(int, const struct sigaction*, struct sigaction*);

void fail_here() { fail(faults.kind, faults.text, &faults.stack); }

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

[[noreturn]] void fail_early(int number, const void* address) {
  std::snprintf(faults.text, sizeof faults.text, "%s, address %p", name_of(number), address);
  end_before_main(abi::Finding::signal, faults.text);
}

// The signal was sent by another process: it is not a fault of the program.
bool is_from_outside(const siginfo_t& info) {
  const bool sent = info.si_code == SI_USER || info.si_code == SI_QUEUE || info.si_code == SI_TKILL;
  return sent && info.si_pid != system_call(SYS_getpid);
}

void on_signal(int number, siginfo_t* info, void* context) {
  if (is_from_outside(*info)) return;
  if (number == SIGSEGV && allow_write(info->si_addr)) return;
  if (!has_begun()) fail_early(number, info->si_addr);
  if (!is_running()) {
    set_default_action(number);  // the handler of the runtime is removed: the instruction faults
                                 // again and kills the process
    return;
  }
  auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  if (is_unwinding()) {
    registers[REG_RIP] = reinterpret_cast<greg_t>(give_up_unwinding);
    registers[REG_RSP] =
        reinterpret_cast<greg_t>(faults.failure_stack + sizeof faults.failure_stack - 8);
    return;
  }
  if (has_handler(number)) {
    registers[REG_RSP] =
        reinterpret_cast<greg_t>(faults.failure_stack + sizeof faults.failure_stack - 8);
    registers[REG_RIP] = reinterpret_cast<greg_t>(refuse_handler);
    return;
  }
  const bool overflow = number == SIGSEGV && is_stack_overflow(info->si_addr);
  faults.kind = overflow ? abi::Finding::stack_overflow : abi::Finding::signal;
  if (overflow)
    std::snprintf(faults.text, sizeof faults.text, "the stack overflows");
  else
    std::snprintf(faults.text, sizeof faults.text, "%s, address %p%s", name_of(number),
                  info->si_addr,
                  was_mapped(info->si_addr) ? ", which the run has unmapped or protected" : "");
  if (is_explaining()) faults.stack = current_stack();
  registers[REG_RSP] =
      reinterpret_cast<greg_t>(faults.failure_stack + sizeof faults.failure_stack - 8);
  registers[REG_RIP] = reinterpret_cast<greg_t>(fail_here);
}

void catch_signals() {
  stack_t stack{};
  stack.ss_sp = faults.signal_stack;
  stack.ss_size = sizeof faults.signal_stack;
  needed_call("sigaltstack", SYS_sigaltstack, reinterpret_cast<long>(&stack));
  const auto set_action = reinterpret_cast<SetAction>(dlsym(RTLD_NEXT, "sigaction"));
  struct sigaction action{};
  action.sa_sigaction = on_signal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigset_t needed;
  sigemptyset(&needed);
  for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP}) {
    if (set_action(number, &action, nullptr) != 0) refuse_call("rt_sigaction");
    sigaddset(&needed, number);
  }
  // The parent process may have left them blocked.
  needed_call("rt_sigprocmask", SYS_rt_sigprocmask, SIG_UNBLOCK, reinterpret_cast<long>(&needed), 0,
              8);
}

// Before the initialisers of the program; those of libraries without hooks may come earlier.
[[gnu::constructor(101)]] void begin() { catch_faults(); }

}  // namespace

void catch_faults() {
  catch_signals();
  catch_terminate();
}

}  // namespace heddle::runtime
