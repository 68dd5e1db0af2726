#include "native/compiler.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/check.hpp"
#include "native/arguments.hpp"
#include "runtime/abi/abi.h"

namespace heddle::native {
namespace {

using Words = std::vector<std::string>;

void append(Words& to, const Words& more) { to.insert(to.end(), more.begin(), more.end()); }

// Where <heddle/heddle.h> is: in an installation, beside the directory of executables; in a build
// directory, within it.
std::string include_directory(const std::string& directory) {
  const std::string installed = directory + "/../include";
  return std::filesystem::exists(installed + "/heddle/heddle.h") ? installed
                                                                 : directory + "/include";
}

Words compiling(const std::string& directory) {
  return {
      // At -O0, functions are marked as not to be optimised, and local variables would be visible.
      "-O1",
      "-g",
      "-fno-omit-frame-pointer",
      // Uninitialised memory must at least be the same in each run.
      "-ftrivial-auto-var-init=pattern",
      // Null pointers must be dereferenced, so that the fault is reported.
      "-fno-delete-null-pointer-checks",
      "-DHEDDLE=1",
      "-isystem",
      include_directory(directory) + "/heddle/libstdc++",
      "-isystem",
      include_directory(directory),
      "-fpass-plugin=" + part(directory, "heddle_pass.so"),
  };
}

// The runtime is linked before all other libraries, whose functions it replaces.
Words linking(const std::string& directory) {
  const std::string runtime = part(directory, "libheddle_rt.so");
  return {"-Wl,--push-state,--no-as-needed", runtime, "-Wl,--pop-state",
          "-Wl,-rpath," + std::filesystem::path(runtime).parent_path().string(), "-Wl,-z,now"};
}

// The undefined-behaviour sanitizer's own runtime prints and continues; a trap is a finding.
bool needs_traps(const CommandLine& line) {
  return line.has_prefix("-fsanitize=") && !line.has_prefix("-fsanitize-trap") &&
         !line.has("-fsanitize-undefined-trap-on-error") && !line.has("-fsanitize-minimal-runtime");
}

void append_user(Words& to, const CommandLine& line) {
  for (const Option& o : line.options) {
    if (!o.is_value && (o.text == "-g0" || o.text == "-ftrivial-auto-var-init=uninitialized"))
      continue;
    to.push_back(!o.is_value && o.text == "-O0" ? "-O1" : o.text);
  }
}

// The standard of the language, for the pass: release sequences have changed. Empty if it is the
// compiler's default.
Words standard(const CommandLine& line) {
  std::string last;
  for (const Option& o : line.options)
    if (const std::size_t at = o.text.find("-std=");
        !o.is_value && (at == 0 || (at == 1 && o.text[0] == '-')))
      last = o.text.substr(at);
  if (last.empty()) return {};
  return {"-Xclang", "-dwarf-debug-flags", "-Xclang", last};
}

}  // namespace

Words compiler_command(Language language, const std::string& directory, const Words& arguments) {
  const CommandLine line(expand_response_files(arguments));
  refuse_unsupported(line);
  Words command = {language == Language::c ? "clang-19" : "clang++-19",
                   "--start-no-unused-arguments"};
  append(command, compiling(directory));
  if (needs_traps(line)) command.push_back("-fsanitize-trap=undefined");
  if (links(line)) append(command, linking(directory));
  append(command, standard(line));
  command.push_back("--end-no-unused-arguments");
  append_user(command, line);
  // The runtime does not know the functions with which this macro replaces those of libc.
  append(command,
         {"--start-no-unused-arguments", "-U_FORTIFY_SOURCE", "--end-no-unused-arguments"});
  if (links(line) && !line.has("-shared"))
    append(command, {"--start-no-unused-arguments", "-Wl," + part(directory, "heddle_channels.o"),
                     "--end-no-unused-arguments"});
  if (!line.inputs.empty()) command.push_back("--");
  append(command, line.inputs);
  return command;
}

std::string part(const std::string& directory, const std::string& file) {
  for (const char* place : {"/", "/../lib/heddle/"})
    if (const std::filesystem::path path = directory + place + file; std::filesystem::exists(path))
      return path.lexically_normal().string();
  throw Misuse(directory + " has no " + file + ": this heddle was built without native execution");
}

std::string own_directory() {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path().string();
}

void become(Words command) {
  std::vector<char*> arguments;
  for (std::string& a : command) arguments.push_back(a.data());
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  throw cannot_run(command[0], errno);
}

Misuse cannot_run(const std::string& compiler, int error) {
  if (error == ENOENT)
    return Misuse("heddle compiles with " + compiler +
                  ", which is not installed (Debian: apt-get install clang-19)");
  return Misuse("cannot run " + compiler + ": " + std::strerror(error));
}

}  // namespace heddle::native
