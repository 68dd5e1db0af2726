// Model programs as the command line names them, and their exploration.
#pragma once

#include <optional>
#include <string>
#include <unordered_set>

#include "cli/arguments.hpp"
#include "core/algorithm.hpp"
#include "interp/program.hpp"
#include "report/json.hpp"

namespace heddle::cli {

struct ModelProgram {
  interp::Program program;
  std::string name;
  std::optional<std::uint64_t> size;
};

// A built-in one. Throws Misuse if there is none of this name, or not of this size.
ModelProgram built_in_program(const std::string& name, std::optional<std::uint64_t> size);
bool is_built_in(const std::string& name);
// One that is given as text.
ModelProgram program_in_file(const std::string& path);

struct ModelResult {
  Result result;
  // Hashes of the observations, and of the final states if they are wanted.
  std::unordered_set<std::uint64_t> observed, final_states;
  double seconds = 0;
  Schedule failing;  // of the first run with a deadlock or a failure

  bool has_finding() const { return result.counts.deadlocks != 0 || result.counts.findings != 0; }
  // As for a compiled program.
  const char* verdict() const {
    if (has_finding()) return "finding";
    if (!result.complete) return "incomplete";
    return result.counts.executions == 0 ? "vacuous" : "verified";
  }
};

enum class FinalStates : bool { no, yes };
ModelResult explore_model(const Arguments& arguments, const Algorithm& algorithm,
                          const interp::Program& program, FinalStates final_states);

// The beginning of every result about a model program.
report::Json model_json(const ModelProgram& chosen);

// Runs the given schedule, and prints its steps; returns the exit status.
int replay_model(const Arguments& arguments, const ModelProgram& chosen);

}  // namespace heddle::cli
