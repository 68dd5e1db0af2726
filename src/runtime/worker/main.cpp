// What the program begins with: a worker that runs the program's main as often as the engine asks.
#include <dlfcn.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/single_threaded.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "runtime/api/exits.hpp"
#include "runtime/api/initialisers.hpp"
#include "runtime/api/keys.hpp"
#include "runtime/api/libraries.hpp"
#include "runtime/api/locks.hpp"
#include "runtime/api/restart.hpp"
#include "runtime/api/signals.hpp"
#include "runtime/api/system.hpp"
#include "runtime/kernel/before_main.hpp"
#include "runtime/kernel/connection.hpp"
#include "runtime/kernel/fiber.hpp"
#include "runtime/kernel/findings.hpp"
#include "runtime/kernel/modules.hpp"
#include "runtime/kernel/run.hpp"
#include "runtime/memory/image.hpp"
#include "runtime/sys/export.hpp"
#include "runtime/sys/process.hpp"
#include "runtime/wire/channel.hpp"
#include "runtime/worker/faults.hpp"
#include "runtime/worker/parts.hpp"

namespace heddle::runtime {
namespace {

using Main = int (*)(int, char**, char**);

struct Program {
  Main main;
  Initialiser initialise;  // of its own, as programs for older C libraries have; or null
  bool initialised_in_runs;
  int count;
  char **arguments, **environment;
} program;

void* program_main(void*) {
  if (program.initialised_in_runs) {
    register_in_runs();
    run_initialisers(program.initialise, program.count, program.arguments, program.environment);
  }
  exit_program(program.main(program.count, program.arguments, program.environment));
}

// In memory that is reset: a program may change them.
char** copied(char** list) {
  std::size_t count = 0;
  while (list[count] != nullptr) ++count;
  auto** out = static_cast<char**>(std::malloc((count + 1) * sizeof(char*)));
  for (std::size_t k = 0; k < count; ++k) out[k] = strdup(list[k]);
  out[count] = nullptr;
  return out;
}

void set_up() {
  load_libraries();
  __libc_single_threaded = 0;  // otherwise shared_ptr and others count without atomics
  catch_faults();
  find_jump();
  remember_libraries();
  set_up_parts();
  begin_runs();
}

void run_once() {
  begin_reply();
  run_program(program_main);
  check_libraries();
}

// In a process of its own, so that nothing of it can remain.
void run_apart() {
  const long parent = needed_call("getpid", SYS_getpid);
  const long child = system_call(SYS_fork);
  if (child == 0) {
    // It must not outlive the process that waits for it, even if that has ended already.
    system_call(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL);
    if (needed_call("getppid", SYS_getppid) != parent) system_call(SYS_exit_group, 1);
    begin_single_run();
    run_once();
    publish_reply();
    system_call(SYS_exit_group, 0);
  }
  if (child < 0) refuse("cannot start a process for a run: the system has too many processes");
  channel().whereabouts.process = static_cast<std::int32_t>(child);
  int status = 0;
  needed_call("wait4", SYS_wait4, child, reinterpret_cast<long>(&status));
  if (WIFEXITED(status) && WEXITSTATUS(status) == restart_status) start_over_for_child();
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) die_like(status);
  reply_was_published();
}

[[noreturn]] void serve() {
  for (;;) {
    await_request();
    if (settings().fork_each != 0) {
      run_apart();
      finish_request();
    } else {
      run_once();
      finish_request();
      publish_reply();
    }
  }
}

// Without an engine: one run, and its result.
int run_by_hand() {
  if (std::getenv(abi::run_variable) == nullptr)
    say("run once, by the first schedule; 'heddle run' explores them all");
  await_request();
  run_once();
  std::fflush(nullptr);
  const abi::ReplyHeader& r = reply();
  if (r.ending == abi::Ending::complete && r.finding == abi::Finding::none) return 0;
  say_what_happened();
  return r.ending == abi::Ending::unsupported ? 2 : 1;
}

void initialise_nothing(int, char**, char**) {}

int worker_main(int argc, char** argv, char** envp) {
  fix_addresses(argv);
  program.count = argc;
  program.arguments = copied(argv);
  program.environment = environ = copied(envp);
  const bool engine = connect();
  set_up();
  if (engine) serve();
  const int status = run_by_hand();
  system_call(SYS_exit_group, status);
  return status;
}

}  // namespace
}  // namespace heddle::runtime

// The C library is told to call the worker in place of the program's main, wherever that comes
// from.
HEDDLE_EXPORT int __libc_start_main(heddle::runtime::Main main, int argc, char** argv,
                                    heddle::runtime::Initialiser init, void (*fini)(),
                                    void (*rtld_fini)(), void* stack_end) {
  using namespace heddle::runtime;
  using Start = int (*)(Main, int, char**, Initialiser, void (*)(), void (*)(), void*);
  program.main = main;
  program.initialise = init;
  remember_start(argc, argv);
  program.initialised_in_runs = begin_initialising();
  if (program.initialised_in_runs) init = initialise_nothing;
  const auto start = reinterpret_cast<Start>(dlsym(RTLD_NEXT, "__libc_start_main"));
  return start(worker_main, argc, argv, init, fini, rtld_fini, stack_end);
}
