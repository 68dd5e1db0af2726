// What a command line says: a value for each option of the table (cli/options.hpp), and the rest.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "broker/address.hpp"
#include "native/exploration.hpp"

namespace heddle::cli {

// An algorithm is chosen while the program is explored (native/choice.hpp).
inline constexpr std::string_view automatic = "auto";

struct Arguments {
  // The words that are not options of heddle, in order. For commands that compile, these include
  // the options of the compiler.
  std::vector<std::string> operands;
  std::vector<std::string> after_dashes;  // the arguments of the program

  // How to explore, and how compiled programs run. Its command is not set here.
  native::Options exploration;
  std::string algorithm = "observers";
  std::string checkpoint, resume;
  std::string cube;                  // a line of heddle split, or FILE:N
  std::uint64_t split_into = 64;     // parts, of heddle split
  std::vector<std::string> learned;  // files
  std::uint64_t jobs = 0;            // engines; 0: as many as there are processors
  std::string output;

  // Clusters.
  std::string broker, program, job;
  broker::Access access;
  std::uint64_t silence = 15, parts = 0;
  bool stay = false, keep_job = false, stop_job = false, remove_job = false;

  // Model programs.
  std::string file, model;
  std::optional<std::uint64_t> size;
  bool list = false, oracle = false, show = false;
  std::optional<std::string> schedule;

  // The fuzzer.
  std::uint64_t seed = 1;
  double seconds = 60;
  std::uint64_t programs = 0;
  std::vector<std::string> algorithms;
  std::string shape;
  bool native = false;

  // Measurements.
  double time = 10;  // seconds
  std::string suite = "papers";
  bool smallest = false;

  // Replays.
  bool verbose = false, gdb = false;

  // What is reported, and to which files.
  bool json = false, outcomes = false;
  std::string junit, sarif, html, expect;

  // The manual.
  bool help = false, man = false, markdown = false, completion = false;
};

}  // namespace heddle::cli
