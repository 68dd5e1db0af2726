// Random C and C++ programs, compiled and explored in every way, which must come to the same.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "fuzz/judge.hpp"

namespace heddle::fuzz {

struct FuzzOptions {
  double seconds = 60;
  std::uint64_t max_programs = 0;  // 0: no limit
  std::uint64_t seed = 1;
  std::string shape;                                          // empty: all, in turn
  std::function<void(const struct FuzzReport&)> on_progress;  // about once a second
  // If given, programs are made and handed over, and nothing is judged.
  std::function<void(const Program&, std::string_view shape, std::uint64_t seed)> on_program;
};

struct FuzzReport {
  std::uint64_t programs = 0, too_large = 0, compiled = 0;
  std::uint64_t explorations = 0, executions = 0;
  std::uint64_t compared_waits = 0;  // kinds of loops that wait, with the same loops bounded
  double seconds = 0;

  // The first difference, with the program, shrunk; found after so long. Several: those that show
  // it only if they are explored together.
  std::optional<Difference> difference;
  std::vector<Program> differing;
  std::string shape;
  std::uint64_t program_seed = 0;
  double found_after = 0;
};

FuzzReport fuzz(const FuzzOptions& options);

}  // namespace heddle::fuzz
