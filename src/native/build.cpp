#include "native/build.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/check.hpp"
#include "base/files.hpp"
#include "native/arguments.hpp"
#include "native/compiler.hpp"

namespace heddle::native {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

// Empty: the file is for the linker.
std::optional<Language> language_of(const std::string& file) {
  const std::string suffix = fs::path(file).extension().string();
  const auto is = [&](std::initializer_list<std::string_view> all) {
    return std::ranges::find(all, suffix) != all.end();
  };
  if (is({".c", ".i", ".s", ".S"})) return Language::c;
  if (is({".cpp", ".cc", ".cxx", ".c++", ".cp", ".C", ".CPP", ".ii"})) return Language::cxx;
  return std::nullopt;
}

// A word of the command line, and what compiling and linking make of it.
struct Part {
  std::string text;
  enum class Role { option, source, link } role;
};

Part::Role role_of(const Option& word) {
  const std::string& text = word.text;
  if (word.is_value) return Part::Role::option;
  if (text.starts_with("-l") || text.starts_with("-Wl,")) return Part::Role::link;
  if (text.starts_with("-")) return Part::Role::option;
  return language_of(text) ? Part::Role::source : Part::Role::link;
}

std::vector<Part> parts_of(const CommandLine& line) {
  std::vector<Part> out;
  for (const Option& o : line.options) out.push_back({o.text, role_of(o)});
  // -Xlinker and its value belong together.
  for (std::size_t k = 0; k + 1 < out.size(); ++k)
    if (out[k].text == "-Xlinker" && !line.options[k].is_value)
      out[k].role = out[k + 1].role = Part::Role::link;
  return out;
}

bool is_file(const Part& part) {
  return part.role == Part::Role::source ||
         (part.role == Part::Role::link && !part.text.starts_with("-"));
}

void check_inputs(const CommandLine& line, const std::vector<Part>& parts) {
  if (!links(line))
    throw Misuse(
        "only whole programs can be explored: -c, -S, -E, -M and the like are for heddle cc, and "
        "headers are not compiled by themselves");
  if (line.has("-shared")) throw Misuse("-shared: a library cannot be explored, only a program");
  if (line.has_prefix("-x"))
    throw Misuse(
        "-x: the language of a file is that of its suffix here; heddle cc and heddle c++ take -x");
  bool any = false;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    if (!is_file(parts[k]) || (k > 0 && parts[k - 1].text == "-Xlinker")) continue;
    any = true;
    std::error_code error;
    if (!fs::exists(parts[k].text, error))
      throw Misuse(fmt::format("no such file: '{}'", parts[k].text));
    if (fs::is_directory(parts[k].text, error))
      throw Misuse(fmt::format("'{}' is a directory", parts[k].text));
    if (is_executable(parts[k].text))
      throw Misuse(fmt::format("'{}' is an executable: heddle run explores it", parts[k].text));
  }
  if (!any) throw Misuse("no input files");
}

struct Finished {
  int status;
  std::string said;  // on stderr, if that was captured
};

std::string contents(int fd) {
  std::string out;
  char buffer[4096];
  for (ssize_t n; (n = read(fd, buffer, sizeof buffer)) > 0 || (n < 0 && errno == EINTR);)
    if (n > 0) out.append(buffer, static_cast<std::size_t>(n));
  return out;
}

Finished run(Words command, bool catch_errors) {
  std::vector<char*> arguments;
  for (std::string& word : command) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  int ends[2] = {-1, -1};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (catch_errors) {
    HEDDLE_CHECK(pipe2(ends, O_CLOEXEC) == 0);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
  }
  pid_t child = 0;
  const int error =
      posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (catch_errors) close(ends[1]);
  Finished out{};
  if (catch_errors) {
    if (error == 0) out.said = contents(ends[0]);
    close(ends[0]);
  }
  if (error != 0) throw cannot_run(command[0], error);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  out.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return out;
}

bool is_standard_of(const std::string& option, Language language) {
  const std::size_t at = option.find("std=");
  if (at == std::string::npos || !(option.starts_with("-std=") || option.starts_with("--std=")))
    return true;
  return (option.find("++", at) != std::string::npos) == (language == Language::cxx);
}

bool has(const std::vector<Part>& parts, Language language) {
  return std::ranges::any_of(parts, [&](const Part& p) {
    return p.role == Part::Role::source && language_of(p.text) == language;
  });
}

class Build {
 public:
  explicit Build(const CommandLine& line)
      : parts_(parts_of(line)), mixed_(has(parts_, Language::c) && has(parts_, Language::cxx)) {
    check_inputs(line, parts_);
    for (const Part& p : parts_) objects_ |= p.role == Part::Role::link && is_file(p);
  }

  void compile_all() {
    for (Part& part : parts_)
      if (part.role == Part::Role::source) compile(part);
  }

  fs::path link() {
    const fs::path program = directory_.path() / "program";
    // What language an object was compiled from is not known: linking as C++ suits C as well.
    const Language language = cxx_ || objects_ ? Language::cxx : Language::c;
    Words words = {"--start-no-unused-arguments"};
    for (const Part& p : parts_) words.push_back(p.text);
    words.insert(words.end(), {"--end-no-unused-arguments", "-o", program.string()});
    const Finished linked = run(compiler_command(language, own_directory(), words), true);
    const bool no_main = linked.said.find("undefined reference to `main'") != std::string::npos ||
                         linked.said.find("undefined symbol: main\n") != std::string::npos;
    if (linked.status != 0 && no_main)
      throw Misuse(
          fmt::format("no function main in {}: write a program that calls what is to be "
                      "explored",
                      fmt::join(files_, ", ")));
    std::fputs(linked.said.c_str(), stderr);
    if (linked.status != 0) throw Misuse("the program cannot be linked");
    return program;
  }

 private:
  // The source becomes its object.
  void compile(Part& source) {
    const Language language = *language_of(source.text);
    cxx_ |= language == Language::cxx;
    const std::string object = (directory_.path() / fmt::format("{}.o", files_.size())).string();
    Words words = {"--start-no-unused-arguments"};
    for (const Part& p : parts_)
      if (p.role == Part::Role::option && (!mixed_ || is_standard_of(p.text, language)))
        words.push_back(p.text);
    words.insert(words.end(), {"--end-no-unused-arguments", "-c", "-o", object, source.text});
    if (run(compiler_command(language, own_directory(), words), false).status != 0)
      throw Misuse(fmt::format("'{}' does not compile", source.text));
    files_.push_back(std::exchange(source.text, object));
    source.role = Part::Role::link;
  }

  std::vector<Part> parts_;
  bool mixed_, objects_ = false, cxx_ = false;
  Words files_;  // the objects that were compiled
  TemporaryDirectory directory_;
};

}  // namespace

bool is_executable(const std::string& file) {
  const std::string name = fs::path(file).filename().string();
  if (language_of(file) || name.ends_with(".o") || name.find(".so") != std::string::npos)
    return false;
  std::ifstream in(file, std::ios::binary);
  char head[18] = {};
  if (!in.read(head, sizeof head) || std::string_view(head, 4) !=
                                         "\x7f"
                                         "ELF")
    return false;
  constexpr char executable = 2, position_independent = 3;  // e_type
  return head[16] == executable || head[16] == position_independent;
}

std::string program_name(const Words& words) {
  for (const Part& p : parts_of(CommandLine(expand_response_files(words))))
    if (is_file(p)) return fs::path(p.text).stem().string();
  throw Misuse("no input files");
}

void build(const Words& words, const std::string& output) {
  Build build(CommandLine(expand_response_files(words)));
  build.compile_all();
  copy_executable(build.link(), output);
}

}  // namespace heddle::native
