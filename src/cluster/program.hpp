// What a program is, so that processes of several machines can tell whether they explore the same.
//
// What one process learns of a program is told to others as addresses in it, and cubes name steps
// by their number in a thread. So files, addresses and the first run have to be the same
// everywhere.
#pragma once

#include <string>
#include <vector>

#include "core/algorithm.hpp"
#include "native/exploration.hpp"

namespace heddle::cluster {

struct Program {
  std::string name;  // of its file, for people
  // SHA-256 of the executable and of the shared objects that it loads, apart from libc and the
  // loader: these may differ if the first run does not.
  std::string hash;
  std::string layout;  // a hash of where in memory they all are
  std::vector<std::string> arguments;
};

// Loads the program; throws Misuse if that is not possible.
Program identify(const std::vector<std::string>& command);

// A hash of the first run: its moves, and the kinds and places of its accesses. It differs where
// another libc or another processor makes the program behave otherwise. Throws Misuse if the
// program does what is not supported.
std::string first_run(const Algorithm& algorithm, const native::Options& options);

}  // namespace heddle::cluster
