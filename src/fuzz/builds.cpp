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

std::vector<std::string> Builds::command(const Program& program, Bound bound) {
  if (program.alone) {
    const std::string source = source_of(program);
    if (source != last_source_) last_.clear();
    last_source_ = source;
    std::string& made = last_[bound];
    if (made.empty())
      made = build(source, program, bound == 0 ? "" : fmt::format("-DBOUND={}", bound));
    return {made};
  }
  const std::string name =
      fmt::format("{}{}{}", program.cxx ? "c++" : "c", program.level, bound == 0 ? "" : " bound");
  std::string& made = interpreters_[name];
  if (made.empty())
    made = build(interpreter_source(program.cxx), program, bound == 0 ? "" : "-DBOUND=bound");
  return {made, data_of(program), fmt::format("{}", bound)};
}

std::string Builds::build(const std::string& source, const Program& program,
                          const std::string& definition) {
  const std::string name = (directory_.path() / fmt::format("{}", compiled_)).string();
  const std::string file = name + (program.cxx ? ".cpp" : ".c");
  write_file(file, source);
  std::vector<std::string> words = compiler_options(program);
  words.insert(words.end(), {file, "-w"});
  if (!definition.empty()) words.push_back(definition);
  native::build(words, name);
  ++compiled_;
  return name;
}

}  // namespace heddle::fuzz
