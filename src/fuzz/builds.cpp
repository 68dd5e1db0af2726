#include "fuzz/builds.hpp"

#include <fmt/format.h>

#include "fuzz/source.hpp"
#include "native/build.hpp"

namespace heddle::fuzz {

std::vector<std::string> compiler_options(const Program& program) {
  std::vector<std::string> out = {fmt::format("-O{}", program.level), "-mcx16"};
  if (program.cxx) out.emplace_back("-std=c++20");
  return out;
}

namespace {

std::string build(const std::string& name, const std::string& source, const Program& program,
                  const std::string& definition) {
  const std::string file = name + (program.cxx ? ".cpp" : ".c");
  write_file(file, source);
  std::vector<std::string> words = compiler_options(program);
  words.insert(words.end(), {file, "-w"});
  if (!definition.empty()) words.push_back(definition);
  native::build(words, name);
  return name;
}

}  // namespace

std::vector<std::string> Builds::command(std::span<const Program> programs, Bound bound) {
  const Program& program = programs.front();
  if (program.alone) {
    const std::string source = source_of(program);
    if (source != last_source_) last_.clear();
    last_source_ = source;
    std::string& made = last_[bound];
    if (made.empty())
      made =
          build(next_name(), source, program, bound == 0 ? "" : fmt::format("-DBOUND={}", bound));
    return {made};
  }
  const Interpreter& made = interpreter(program);
  return {(bound == 0 ? made.unbounded : made.bounded).get(), data_of(programs),
          fmt::format("{}", bound)};
}

const Builds::Interpreter& Builds::interpreter(const Program& program) {
  Interpreter& made = interpreters_[fmt::format("{}{}", program.cxx ? "c++" : "c", program.level)];
  if (made.unbounded.valid()) return made;
  const auto begin = [&](const char* definition) {
    return std::async(std::launch::async, build, next_name(), interpreter_source(program.cxx),
                      program, definition)
        .share();
  };
  made = {begin(""), begin("-DBOUND=bound")};
  return made;
}

std::string Builds::next_name() {
  return (directory_.path() / fmt::format("{}", compiled_++)).string();
}

}  // namespace heddle::fuzz
