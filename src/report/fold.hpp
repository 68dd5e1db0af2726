// Which rows of a trace are shown, and what stands for the others.
#pragma once

#include <optional>
#include <vector>

#include "findings/trace.hpp"

namespace heddle::report {

// A row, or how many are left out here.
struct Shown {
  const findings::Row* row = nullptr;
  std::size_t times = 1;  // that it comes in a row
  std::size_t folded = 0;
  std::optional<unsigned> thread = {};  // of those left out, if it is the same of all
  bool library = false;                 // all that are left out are of libraries
};

// Up to the finding. Threads that come and go are not shown, nor counted as left out; what a thread
// does again and again is shown once. What libraries do to objects of their own is left out. Of a
// long trace, objects that only one thread uses go next, then the middle of what a thread does at
// one stretch, and then the middle of it all. What is marked stays.
std::vector<Shown> folded(const findings::Trace& trace);

// Everything, what comes after the finding too.
std::vector<Shown> unfolded(const findings::Trace& trace);

}  // namespace heddle::report
