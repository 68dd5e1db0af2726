// Model programs as the command line names them, and their exploration.
#pragma once

#include <optional>
#include <string>

#include "cli/arguments.hpp"
#include "core/algorithm.hpp"
#include "interp/engine.hpp"
#include "interp/program.hpp"
#include "parallel/control.hpp"
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
  const Algorithm* algorithm = nullptr;  // that it was explored with
  interp::ModelEngine::Brought brought;
  bool complete = false;
  double seconds = 0;
  parallel::Overhead overhead;

  const Counts& counts() const { return brought.counts; }
  bool has_finding() const { return counts().deadlocks != 0 || counts().findings != 0; }
  // As for a compiled program.
  const char* verdict() const {
    if (has_finding()) return "finding";
    if (!complete) return "incomplete";
    return counts().executions == 0 ? "vacuous" : "verified";
  }
};

enum class FinalStates : bool { no, yes };
ModelResult explore_model(const Arguments& arguments, const Algorithm& algorithm,
                          const interp::Program& program, FinalStates final_states);
// With the algorithm that the user wants; if that is `auto`, the one that turns out to be faster.
ModelResult explore_model(const Arguments& arguments, const interp::Program& program,
                          FinalStates final_states);

// The beginning of every result about a model program.
report::Json model_json(const ModelProgram& chosen);

// Runs the given schedule, and prints its steps; returns the exit status.
int replay_model(const Arguments& arguments, const ModelProgram& chosen);

}  // namespace heddle::cli
