// Model programs, explored in parts.
#pragma once

#include "base/hash_set.hpp"
#include "core/algorithm.hpp"
#include "interp/runner.hpp"
#include "parallel/choose.hpp"
#include "parallel/engine.hpp"

namespace heddle::interp {

class ModelEngine final : public parallel::Engine {
 public:
  struct Brought {
    Counts counts;
    HashSet observed;
    HashSet final_states;  // if they are wanted
    Schedule failing;      // of the first run with a deadlock or a failure

    Brought& operator+=(Brought& other);
  };

  // `how` says in which order. REQUIRES: the algorithm outlives it.
  ModelEngine(const Program& program, const Algorithm& algorithm, const ExploreOptions& how,
              bool final_states);

  Explored explore(const parallel::Item& item, parallel::Look& look) override;
  std::optional<parallel::Halves> halves(const std::string& cube) override;
  parallel::Json yield() override { return to_json(last_); }
  void keep() override { total_ += last_; }
  void add(const parallel::Json& yield) override;
  Counts total() const override { return total_.counts; }
  parallel::Json sum() override { return to_json(total_); }
  void forget() override { total_ = {}; }
  // There is nothing to learn about a model program.
  parallel::Json knowledge() override { return nullptr; }
  void learn(const parallel::Json&) override { total_ = {}; }

  Brought& brought() { return total_; }

 private:
  static parallel::Json to_json(Brought& brought);
  void restrict_to(const std::string& cube);
  Decision note(const Log& log);

  const Algorithm& algorithm_;
  const ExploreOptions how_;
  const bool final_states_;
  ModelRunner runner_;
  parallel::Divisible divisible_;
  Brought total_, last_;
};

}  // namespace heddle::interp
