// Two of the three ways in which things go wrong. (The third, a finding in the program under test,
// is a result and not an error.)
//
//   Misuse    the user asked for something that makes no sense: one clear line, exit status 2.
//  Bug a promise of our own code is broken: HEDDLE_CHECK, on in every build, exit status 70.
#pragma once

#include <stdexcept>
#include <string>

namespace heddle {

class Misuse : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Bug : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

[[noreturn]] inline void fail_check(const char* condition, const char* file, int line) {
  throw Bug(std::string(file) + ":" + std::to_string(line) + ": broken promise: " + condition);
}

}  // namespace heddle

#define HEDDLE_CHECK(condition) \
  ((condition) ? void() : ::heddle::fail_check(#condition, __FILE__, __LINE__))
