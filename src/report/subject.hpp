// What a report is about.
#pragma once

#include <string>
#include <vector>

#include "native/exploration.hpp"

namespace heddle::report {

struct Subject {
  std::string command;  // of heddle
  std::string program;
  std::vector<std::string> arguments;
  std::string algorithm;
  std::string expected;  // a verdict or a kind of finding; empty: nothing in particular
  bool chose = false;    // the algorithm, by trying (native/choice.hpp)
};

// Whether the result is the expected one. REQUIRES: one was expected.
bool meets_expectation(const Subject& subject, const native::Report& report);

// "1 execution", "1 execution and 5 blocked", "1 execution, 5 blocked and 3 merged"
std::string runs_text(const Counts& counts);

// "verified: 2 executions, 24 events, 0.003 s (observers)", or with states, where they are
// compared: "verified: 1 execution and 3 merged, 9 states with 11 edges, 24 events, 0.003 s
// (merging)"
std::string verdict_line(const Subject& subject, const native::Report& report);

}  // namespace heddle::report
