#include <fmt/format.h>

#include <cstdio>
#include <cstring>
#include <new>

#include "base/check.hpp"
#include "cli/command.hpp"

namespace heddle::cli {
namespace {

constexpr const char* version = "heddle 0.1.0";

void complain(const std::string& message) {
  std::string line = message;
  for (char& c : line)
    if (c == '\n') c = ' ';
  std::fputs(("heddle: " + line + "\n").c_str(), stderr);  // must not throw if stderr is closed
}

int run(int argc, char** argv) {
  CLI::App app("Heddle explores every schedule of a concurrent program that matters.", "heddle");
  app.set_version_flag("--version", version);
  app.require_subcommand(0, 1);
  Action action;
  for (const Command& command : commands) {
    if (command.run != nullptr && argc > 1 && std::strcmp(argv[1], command.name) == 0)
      return command.run({argv + 2, argv + argc});
    CLI::App* sub = app.add_subcommand(command.name, command.summary);
    if (command.set_up == nullptr) continue;
    sub->final_callback([&action, run_command = command.set_up(*sub)] { action = run_command; });
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    fmt::print("{}", app.help());
    return exit_ok;
  } catch (const CLI::CallForVersion&) {
    fmt::print("{}\n", version);
    return exit_ok;
  } catch (const CLI::ParseError& error) {
    throw Misuse(std::string(error.what()) + " (see heddle --help)");
  }
  if (!action) {
    fmt::print("{}", app.help());
    return exit_misuse;
  }
  return action();
}

}  // namespace
}  // namespace heddle::cli

int main(int argc, char** argv) {
  using namespace heddle::cli;
  int status = exit_bug;
  try {
    status = run(argc, argv);
  } catch (const heddle::Misuse& misuse) {
    complain(misuse.what());
    status = exit_misuse;
  } catch (const heddle::Bug& bug) {
    complain(std::string("this is a bug of heddle, please report it: ") + bug.what());
  } catch (const std::bad_alloc&) {
    complain("out of memory");
    status = exit_incomplete;
  } catch (const std::exception& error) {
    complain(std::string("this is a bug of heddle, please report it: ") + error.what());
  }
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    complain(std::string("cannot write the output: ") + std::strerror(errno));
    return exit_misuse;
  }
  return status;
}
