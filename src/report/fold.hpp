// Which rows of a trace are shown, and what replaces the others.
#pragma once

#include <optional>
#include <vector>

#include "findings/trace.hpp"

namespace heddle::report {

// A row, or the number of rows that are left out here.
struct Shown {
  const findings::Row* row = nullptr;
  std::size_t times = 1;  // in a row
  std::size_t folded = 0;
  std::optional<unsigned> thread = {};  // of the rows left out, if all have the same
  bool library = false;                 // all rows left out are of libraries
};

// The rows up to the finding. Creation and end of threads are not shown, nor counted as left out;
// what a thread repeats is shown once. What libraries do to objects of their own is left out. If
// the trace is still long, steps on objects that only one thread uses are left out next, then the
// middle of each stretch of one thread, and then the middle of the whole. Marked rows are always
// kept.
std::vector<Shown> folded(const findings::Trace& trace);

// All rows, including those after the finding.
std::vector<Shown> unfolded(const findings::Trace& trace);

}  // namespace heddle::report
