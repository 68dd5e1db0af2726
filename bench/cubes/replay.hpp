// An engine that explores nothing: it tells what was recorded, and counts the runs that it would
// have made. So cubes are split by the project's own code.
#pragma once

#include <algorithm>
#include <string>

#include "cubes/subject.hpp"
#include "parallel/choose.hpp"
#include "parallel/engine.hpp"

namespace heddle::cubes {

class Replay final : public parallel::Engine {
 public:
  explicit Replay(const Subject& subject) : subject_(subject) {}

  Explored explore(const parallel::Item& item, parallel::Look& look) override {
    const Place place = subject_.place_of(item.cube);
    const double all = subject_.runs(place), allowed = static_cast<double>(look.more_runs());
    last_counted_ = subject_.counted(place);
    made_ += std::min(all, allowed);
    if (all <= allowed) return {End::complete, all};
    return {End::stopped, subject_.outlook(place, allowed)};
  }
  std::optional<parallel::Halves> halves(const std::string& cube) override {
    made_ += parallel::sampled_runs;
    const auto halves = subject_.halves(subject_.place_of(cube));
    if (!halves) return {};
    return {{to_text(halves->first), to_text(halves->second), halves->in_vain}};
  }

  double made() const { return made_; }                  // runs
  double last_counted() const { return last_counted_; }  // runs of what was explored last

  parallel::Json yield() override { return nullptr; }
  void keep() override {}
  void add(const parallel::Json&) override {}
  Counts total() const override { return {}; }
  parallel::Json sum() override { return nullptr; }
  void forget() override {}
  parallel::Json knowledge() override { return nullptr; }
  void learn(const parallel::Json&) override {}

 private:
  const Subject& subject_;
  double made_ = 0, last_counted_ = 0;
};

}  // namespace heddle::cubes
