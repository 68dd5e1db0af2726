// heddle: the commands, and what becomes of errors.
#include <fcntl.h>
#include <fmt/format.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <new>

#include "base/check.hpp"
#include "base/version.hpp"
#include "cli/command.hpp"
#include "cli/manual.hpp"
#include "cli/parse.hpp"

namespace heddle::cli {
namespace {

void complain(const std::string& message) {
  std::string line = message;
  for (char& c : line)
    if (c == '\n') c = ' ';
  std::fputs(("heddle: " + line + "\n").c_str(), stderr);  // must not throw if stderr is closed
}

void print_version(bool json) {
  if (json) {
    report::Json out = report::json_of("version");
    out["version"] = version;
    report::print(out);
  } else {
    fmt::print("heddle {}\n", version);
  }
}

int run(const std::vector<std::string>& words) {
  if (words.empty()) {
    fmt::print("{}", overview());
    return exit_misuse;
  }
  if (words[0] == "--help" || words[0] == "-h") {
    fmt::print("{}", overview());
    return exit_ok;
  }
  if (words[0] == "--version") {
    print_version(words.size() > 1 && words[1] == "--json");
    return exit_ok;
  }
  const Command* command = find_command(words[0]);
  if (command == nullptr)
    throw Misuse(fmt::format("unknown command '{}' (see heddle --help)", words[0]));
  const Arguments arguments = parse(*command, {words.begin() + 1, words.end()});
  if (arguments.help) {
    fmt::print("{}", arguments.json ? report::text_of(json_manual({command, 1})) : help(*command));
    return exit_ok;
  }
  return command->run(arguments);
}

// Makes a file size limit an error of write, as a full disk is, instead of a fatal signal. (With a
// handler, because programs that are run would inherit an ignored signal.)
void outlive_file_size_limits() {
  struct sigaction action{};
  action.sa_handler = [](int) {};
  sigaction(SIGXFSZ, &action, nullptr);
}

// If this call is refused, libraries end the process before main begins: so it is tried before they
// do. (The other calls are tried when they are needed, see native/facilities.hpp.)
void refuse_without_futex() {
  constexpr char message[] =
      "heddle: the system refuses the call 'futex', which heddle needs: allow it (with Docker, "
      "give "
      "--security-opt seccomp=unconfined)\n";
  std::uint32_t word = 0;
  if (syscall(SYS_futex, &word, FUTEX_WAKE, 1, nullptr) != -1) return;
  [[maybe_unused]] const auto written = write(STDERR_FILENO, message, sizeof message - 1);
  _exit(exit_misuse);
}
[[gnu::section(".preinit_array"),
  gnu::used]] void (*const before_libraries)() = refuse_without_futex;

// A standard stream that is closed stays unusable, but no other file gets its descriptor.
void occupy_standard_streams() {
  int fd = 0;
  while (fd >= 0 && fd <= STDERR_FILENO) fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (fd > STDERR_FILENO) close(fd);
}

}  // namespace
}  // namespace heddle::cli

int main(int argc, char** argv) {
  using namespace heddle::cli;
  int status = exit_bug;
  outlive_file_size_limits();
  occupy_standard_streams();
  try {
    status = run({argv + 1, argv + argc});
  } catch (const heddle::Misuse& misuse) {
    complain(misuse.what());
    status = exit_misuse;
  } catch (const heddle::Bug& bug) {
    complain(std::string("this is a bug in heddle, please report it: ") + bug.what());
  } catch (const std::bad_alloc&) {
    complain("out of memory");
    status = exit_incomplete;
  } catch (const std::exception& error) {
    // Output that cannot be written throws too; that is reported below.
    if (std::ferror(stdout) == 0)
      complain(std::string("this is a bug in heddle, please report it: ") + error.what());
  }
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    complain(std::string("cannot write the output: ") + std::strerror(errno));
    return exit_misuse;
  }
  return status;
}
