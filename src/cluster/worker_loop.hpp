// A worker of a job: one engine, which explores the cubes that it claims, until the job has ended.
//
// Invariant: whatever is explored is explored with exactly the knowledge of the claim's generation.
// So what this engine learns is either what the next generation knows, or forgotten.
#pragma once

#include <csignal>
#include <memory>
#include <string>

#include "base/random.hpp"
#include "base/resources.hpp"
#include "broker/worker.hpp"
#include "cluster/parts.hpp"
#include "cluster/portions.hpp"
#include "cluster/terms.hpp"
#include "parallel/control.hpp"

namespace heddle::cluster {

class WorkerLoop {
 public:
  // `leaves` is set by a signal handler: the cube is returned, and the loop ends. The client has
  // to look at it too. REQUIRES: all of it outlives the loop.
  WorkerLoop(broker::Client& client, const std::string& job, const Terms& terms,
             const parallel::MakeEngine& make, const volatile std::sig_atomic_t& leaves);

  // Throws what a broker's worker does, and Misuse or Bug if the job makes no sense.
  broker::State run();

 private:
  class WorkerLook;

  bool has_knowledge_of(const broker::Claim& claim);
  void explore(const broker::Claim& claim);
  // False: the cube is to be split; `at` and `parts` say where, and into how many parts.
  bool explore_all(const CubeList& cubes, bool divisible, std::size_t& at, std::size_t& parts);
  bool split(const broker::Claim& claim, const CubeList& cubes, std::size_t at, std::size_t parts);
  void finish(const broker::Outcome& outcome);
  void finish_done();
  void renew();
  void report(const std::string& cube);
  std::size_t parts_unseen(const broker::Claim& claim, const CubeList& cubes) const;

  broker::Client& client_;
  const std::string job_;
  const Terms& terms_;
  const parallel::MakeEngine& make_;
  const volatile std::sig_atomic_t& leaves_;
  broker::Worker worker_;
  std::string generation_;
  std::unique_ptr<parallel::Engine> engine_;
  std::uint64_t thrown_away_ = 0;  // runs that no outcome has told of
  Portions portions_;
  Random random_;
};

}  // namespace heddle::cluster
