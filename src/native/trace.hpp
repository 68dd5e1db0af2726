// A run in terms of the source: one row for each visible step, and for what else must be seen.
#pragma once

#include <string>
#include <vector>

#include "native/names.hpp"

namespace heddle::native {

struct Row {
  enum class Kind : std::uint8_t {
    step,
    access,   // no step: one of two that race, or a free
    waits,    // at the end, for ever
    finding,  // what goes wrong
  };
  Kind kind = Kind::step;
  std::size_t number = 0;  // of a step, from 1
  unsigned thread = 0;
  Place place;           // in the user's code, if it comes from there
  std::string source;    // the file to look for that line in
  std::string what;      // "read counter → 0"
  std::string with;      // "from thread 2": who it has it from
  bool routine = false;  // threads come and go
  bool own = false;      // no other thread uses the object
  bool library = false;  // a library is at work on something of its own
  std::vector<Place> stack;
};

struct Trace {
  std::vector<Row> rows;             // up to the finding, and what comes after it
  std::size_t end = 0;               // how many rows there are up to the finding
  std::vector<std::string> threads;  // what each runs: the name of its function, or nothing
  std::vector<std::string> blocks;   // "block #1: 16 bytes allocated by thread 0 at ..."
};

// `message` is the finding's; empty: there is none.
Trace trace_of(const Explanation& run, const Symbols& symbols, Names& names,
               const std::string& message, const Place& place);

}  // namespace heddle::native
