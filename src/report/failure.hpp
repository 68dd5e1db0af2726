// Failure files: all that it takes to reproduce a finding.
//
// A small text, one thing a line. The first line has the version of the format, the last is `end`:
// without it, the file is truncated.
//
//   heddle-failure 1
//   program ./queue                       as it was given
//   build 7d1c0f...                       a hash of the executable
//   argument ...                          one line for each
//   options races=explore nondet=0,1,2    those that change runs; defaults are left out
//   finding deadlock                      its kind; then message, place, function and thread
//   schedule 0*2 1*4 2.1 0                moves, as thread.alternative*times
//   visible 8a0f1 8a0f2                   memory whose accesses are steps, if there is such
//   end
#pragma once

#include <string>
#include <vector>

#include "native/exploration.hpp"

namespace heddle::report {

struct Failure {
  std::uint64_t build = 0;
  native::Options options;  // those that change runs; the program is in the command
  abi::Finding kind = abi::Finding::none;
  std::string message;
  findings::Place place;
  unsigned thread = 0;
  Schedule schedule;
  std::vector<std::uint64_t> visible;
};

Failure failure_of(const findings::Finding& finding, const native::Options& options);

// A hash of the executable; 0 if it cannot be read.
std::uint64_t build_of(const std::string& program);

std::string to_text(const Failure& failure);
// Throws Misuse with the number of the line and what is wrong with it.
Failure parse_failure(const std::string& text);

// Throw Misuse if the file cannot be written or read, or is not a failure file.
void write_failure(const std::string& path, const Failure& failure);
Failure read_failure(const std::string& path);

}  // namespace heddle::report
