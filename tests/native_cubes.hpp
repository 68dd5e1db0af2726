// The programs of data/cubes.c, explored in parts.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>

#include "fuzz/parts.hpp"

namespace heddle::native {

using fuzz::Explored;
using fuzz::PartExplorer;

class NativeCubes : public testing::Test {
 public:
  static inline std::filesystem::path folder, program;

  static void SetUpTestSuite() {
    folder = std::filesystem::temp_directory_path() / ("heddle_cubes_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder);
    program = folder / "cubes";
    compile(HEDDLE_SOURCE_DIR "/tests/data/cubes.c", program);
  }
  static void TearDownTestSuite() { std::filesystem::remove_all(folder); }

  static void compile(const std::string& source, const std::filesystem::path& to) {
    const std::string command = std::string(HEDDLE_BINARY) +
                                " cc -O1 -I " HEDDLE_SOURCE_DIR "/include " + source + " -o " +
                                to.string();
    ASSERT_EQ(std::system(command.c_str()), 0);
  }

  static Options options_of(const std::string& name, long length = 7) {
    Options out;
    out.command = {program.string(), name, std::to_string(length)};
    out.keep_going = true;
    out.max_steps = 2000;
    return out;
  }

  // This cube of the program, once nothing more is learned.
  static Explored explore(const Options& options, const Cube& cube,
                          const std::string& algorithm = "optimal") {
    PartExplorer explorer(*find_algorithm(algorithm), options);
    for (;;) try {
        explorer.explore({});
        return explorer.explore(cube);
      } catch (const Learned&) {
      }
  }
  static Explored explore(const std::string& name, const Cube& cube,
                          const std::string& algorithm = "optimal") {
    return explore(options_of(name), cube, algorithm);
  }

  static std::string difference(const Explored& whole, const Explored& parts, bool exact) {
    if (!whole.complete || !parts.complete) return "not complete";
    if (!whole.oddity.empty() || !parts.oddity.empty()) return whole.oddity + parts.oddity;
    return fuzz::InParts{whole, parts, ""}.difference(exact);
  }

  static std::string halves_differ(PartExplorer& explorer, const Explored& whole, StepName a,
                                   StepName b, bool exact) {
    const auto [first, second] = Cube().split(a, b);
    Explored sum = explorer.explore(first);
    sum += explorer.explore(second);
    const std::string what = difference(whole, sum, exact);
    return what.empty() ? "" : what + ": " + to_text(first);
  }
};

}  // namespace heddle::native
