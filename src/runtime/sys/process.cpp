#include "runtime/sys/process.hpp"

#include <signal.h>
#include <sys/personality.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "runtime/sys/last_word.hpp"

namespace heddle::runtime {
namespace {

[[noreturn]] void end_with(abi::Word kind, const char* text, int status) {
  say(text);
  leave_word(kind, text);
  system_call(SYS_exit_group, status);
  __builtin_unreachable();
}

bool has_fixed_addresses() { return (personality(0xffffffff) & ADDR_NO_RANDOMIZE) != 0; }

}  // namespace

void set_default_action(int signal) {
  struct {
    std::uint64_t handler, flags, restorer, mask;
  } action{};
  system_call(SYS_rt_sigaction, signal, reinterpret_cast<long>(&action), 0, sizeof action.mask);
}

void say(const char* message) {
  char line[1200];
  const int n = std::snprintf(line, sizeof line, "heddle: %s\n", message);
  system_call(SYS_write, 2, reinterpret_cast<long>(line), n);
}

void refuse(const char* why) { end_with(abi::Word::refused, why, 2); }

void refuse_call(const char* name) {
  char text[160];
  std::snprintf(text, sizeof text,
                "the system refuses the call '%s', which heddle needs: allow it (with Docker, give "
                "--security-opt seccomp=unconfined)",
                name);
  refuse(text);
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
    set_default_action(WTERMSIG(status));
    system_call(SYS_kill, system_call(SYS_getpid), WTERMSIG(status));
  }
  system_call(SYS_exit_group, WEXITSTATUS(status));
  __builtin_unreachable();
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
  refuse("cannot start the program over: /proc is missing, and its name is not a path");
}

}  // namespace heddle::runtime
