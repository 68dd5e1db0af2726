// The process that creates a job, watches it, and reports what came of it.
//
// It is not needed while the job is explored: if it dies, workers finish the job, and `heddle
// attach` tells how it ended.
#pragma once

#include <functional>
#include <string>

#include "broker/client.hpp"
#include "cluster/terms.hpp"
#include "parallel/control.hpp"

namespace heddle::cluster {

struct Coordination {
  broker::Address address;
  std::vector<std::string> command;
  Terms terms;
  bool keep_going = false;  // after findings
  bool keep_job = false;    // in the broker, when it has ended
  // Called when the job has been created, with its name.
  std::function<void(const std::string& job)> on_created;
  // Of the exploration, for its first run.
  std::function<std::string()> first_run;
};

// Throws Misuse if the broker cannot be reached now, or the user may not use it.
void check_reachable(const broker::Address& address);

// Explores through the broker; as parallel::Control::elsewhere. `engines` of the control explore
// here, and whatever else works for the job does elsewhere. Throws Misuse if the job cannot end.
parallel::Elsewhere through_broker(Coordination coordination);

}  // namespace heddle::cluster
