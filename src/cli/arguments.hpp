// What a command line says: a value for each option of the table (cli/options.hpp), and the rest.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heddle::cli {

struct Arguments {
  // What is no option of heddle's, in its order. Where the command compiles, that includes the
  // options of the compiler.
  std::vector<std::string> operands;
  std::vector<std::string> behind;  // "--": the arguments of the program

  // How to explore.
  std::string algorithm = "observers";
  std::string order = "leftmost";
  std::uint64_t seed = 1;
  std::uint64_t executions = 0;  // 0: no limit
  bool keep_going = false;
  double time = 0;           // seconds; 0: no limit
  std::uint64_t memory = 0;  // MB; 0: no limit
  std::string checkpoint, resume;
  double checkpoint_every = 60;  // seconds

  // How compiled programs run.
  std::string races = "report";
  std::vector<std::string> suppress;
  std::string timeouts = "last-resort";
  std::string main_exit = "go-on";
  std::string isolate = "none";
  std::string savepoints = "worthwhile";
  bool spurious_wakeups = false;
  bool all_visible = false;
  std::vector<std::int64_t> nondet = {0, 1};
  std::uint64_t max_steps = 100'000;
  std::uint64_t waiting_rounds = 1;
  std::uint64_t repeat_every = 1024;
  std::string output;

  // Model programs.
  std::string file, model;
  std::optional<std::uint64_t> size;
  bool list = false, oracle = false, show = false;
  std::optional<std::string> schedule;

  // The fuzzer.
  double seconds = 60;
  std::uint64_t programs = 0;
  std::vector<std::string> algorithms;
  std::string shape;
  bool native = false;

  // Measurements.
  std::string suite = "papers";
  bool smallest = false;

  // Replays.
  bool verbose = false, gdb = false;

  // What is reported, and where.
  bool json = false, outcomes = false;
  std::string junit, sarif, expect;

  // The manual.
  bool help = false, man = false, markdown = false, completion = false;
};

}  // namespace heddle::cli
