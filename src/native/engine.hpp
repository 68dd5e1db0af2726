// A compiled program, explored in parts: one worker, and what its runs bring.
//
// Promises beyond those of parallel::Engine:
// - The parts of one exploration are explored with the same knowledge and the same numbers of
// threads:
//   what a step is, and which number it has in its thread, depends on these. `learn` brings both.
// - What a run learns is in the engine's knowledge when End::learned is returned.
#pragma once

#include <memory>
#include <optional>

#include "native/brought.hpp"
#include "native/exploration.hpp"
#include "native/runner.hpp"
#include "native/worker.hpp"
#include "parallel/choose.hpp"
#include "parallel/engine.hpp"

namespace heddle::native {

class NativeEngine final : public parallel::Engine {
 public:
  // REQUIRES: algorithm and options outlive it. `known` has findings that are no reason to stop.
  NativeEngine(const Algorithm& algorithm, const Options& options, const Brought& known = {});

  // These findings, and no others, are no reason to stop.
  void expect(const Brought& findings) { known_ = findings; }

  Explored explore(const parallel::Item& item, parallel::Look& look) override;
  std::optional<parallel::Halves> halves(const std::string& cube) override;
  parallel::Json yield() override;
  void keep() override;
  void add(const parallel::Json& yield) override { total_ += brought_of(yield); }
  Counts total() const override { return total_.counts; }
  parallel::Json sum() override { return to_json(total_); }
  // The worker is configured anew, as what is known may have changed.
  void forget() override;
  parallel::Json knowledge() override;
  void learn(const parallel::Json& knowledge) override;

  // The same, with nothing converted.
  const Brought& brought() const { return total_; }
  const SeenRaces& races() const { return races_; }
  Knowledge& known() { return knowledge_; }
  const Numbering& numbering() { return worker_->names().numbering(); }
  void set(const Knowledge& knowledge, const Numbering& numbering);

  Worker& worker() { return *worker_; }
  // For runs by themselves, and for the whole program.
  NativeRunner& whole();

 private:
  NativeRunner& runner_for(const std::string& cube);
  Result run(const parallel::Item& item, ExploreOptions how);
  Decision note(const Log& log);
  void add_unseen(Brought& to);

  const Algorithm& algorithm_;
  const Options& options_;
  std::unique_ptr<Worker> worker_;
  Knowledge knowledge_;
  std::optional<std::string> cube_;  // that the runner has, if there is one
  std::optional<NativeRunner> runner_;
  Brought known_;
  parallel::Divisible divisible_;
  Brought total_, last_;
  SeenRaces races_;
  SavedFrontier left_;
  bool finds_ = false;  // something, at which it stops
};

}  // namespace heddle::native
