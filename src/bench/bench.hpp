// Measuring programs with algorithms, and comparing with papers.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bench/measure.hpp"
#include "bench/published.hpp"
#include "bench/suite.hpp"

namespace heddle::bench {

struct Row {
  const Program* program;
  int size;  // 0 if it has none
  const Algorithm* algorithm;
  // Compiled programs have the any-order algorithms; the others run on the model program.
  bool native;
  // False: it was not tried, since this algorithm took too long for a smaller size already.
  bool tried;
  Measurement measured;
  Comparison compared;

  // complete, stopped (at the time limit), finding or not-tried.
  const char* status() const;
  // Runs, blocked and merged ones included.
  double runs_per_second() const;
};

struct Options {
  std::vector<const Program*> programs;
  std::vector<const Algorithm*> algorithms;
  double seconds;                          // for each row
  bool smallest;                           // size of each program only
  unsigned engines = 1;                    // that explore at once
  std::function<void(const Row&)> on_row;  // when it is there
};

// A row for each program, size and algorithm that it has, in this order.
std::vector<Row> run(const Options& options, const Papers& papers);

}  // namespace heddle::bench
