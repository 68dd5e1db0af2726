#include "bench/suite.hpp"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>

#include "base/check.hpp"
#include "bench/tables.hpp"
#include "native/build.hpp"
#include "native/compiler.hpp"

namespace heddle::bench {
namespace {

int size_of(const std::string& text) {
  int size = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), size);
  if (error != std::errc() || end != text.data() + text.size() || size < 1)
    throw Misuse(fmt::format("suite.tsv: invalid size '{}'", text));
  return size;
}

}  // namespace

std::string directory() {
  const std::string own = native::own_directory();
  for (const char* place : {"/programs", "/../share/heddle/bench"})
    if (const std::filesystem::path path = own + place; std::filesystem::exists(path / "suite.tsv"))
      return path.lexically_normal().string();
  throw Misuse(own + " has no programs to measure beside it: install heddle anew");
}

std::vector<Program> read_suite(const std::string& directory) {
  std::vector<Program> out;
  for (const Fields& row : read_table(directory + "/suite.tsv", {"suite", "name", "file", "flags",
                                                                 "model", "published", "sizes"})) {
    Program p{row[0], row[1], directory + "/" + row[2], parts_of(row[3]), "", parts_of(row[5]), {}};
    if (row[4] != "-") p.model = row[4];
    for (const std::string& size : parts_of(row[6])) p.sizes.push_back(size_of(size));
    out.push_back(std::move(p));
  }
  return out;
}

std::string title(const Program& program, int size) {
  return program.sizes.empty() ? program.name : fmt::format("{}({})", program.name, size);
}

void build(const Program& program, int size, const std::string& executable) {
  std::vector<std::string> words = {program.file};
  if (program.file.ends_with(".cpp")) words.push_back("-std=c++20");
  words.insert(words.end(), program.flags.begin(), program.flags.end());
  if (!program.sizes.empty()) words.push_back(fmt::format("-DN={}", size));
  native::build(words, executable);
}

}  // namespace heddle::bench
