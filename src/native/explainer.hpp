// From what a run showed to a finding that a report can show.
#pragma once

#include <cstdint>

#include "native/brought.hpp"
#include "native/exploration.hpp"
#include "native/runner.hpp"

namespace heddle::native {

// Runs the schedules of findings again. REQUIRES: all arguments outlive it, and the exploration
// submits nothing meanwhile.
class Explainer {
 public:
  Explainer(const Options& options, Worker& worker, NativeRunner& runner, Watch& watch,
            const Knowledge& knowledge)
      : options_(options), worker_(worker), runner_(runner), watch_(watch), knowledge_(knowledge) {}

  // With a schedule that is easy to follow, a trace and stacks, if options.explain is set.
  Finding explain(const Seen& seen);

  // The finding for two runs of one schedule that differ. Throws Misuse if a library is to blame;
  // `notes` are those of the exploration.
  Finding nondeterminism(const Nondeterminism& n, const Notes& notes);

 private:
  Schedule simplest(const Seen& seen);
  Explanation explained_run(const Seen& seen);

  const Options& options_;
  Worker& worker_;
  NativeRunner& runner_;
  Watch& watch_;
  const Knowledge& knowledge_;
};

}  // namespace heddle::native
