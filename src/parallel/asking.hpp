// Has an algorithm ask a Look.
#pragma once

#include <utility>

#include "core/result.hpp"
#include "parallel/control.hpp"
#include "parallel/engine.hpp"
#include "parallel/pulse.hpp"

namespace heddle::parallel {

class Asking {
 public:
  using GetLive = std::function<Look::Live()>;

  // Sets what `how` asks before each run. `live` returns counts and findings. REQUIRES: both, and
  // the look, outlive the exploration. `any_order`: the algorithm asks before each run, and not
  // after.
  Asking(Look& look, ExploreOptions& how, bool any_order, GetLive live)
      : look_(look), live_(std::move(live)), allowed_(look.more_runs()) {
    if (!any_order) is_allowed();
    how.may_continue = [this](const Ongoing& now) { return may_continue(now); };
    how.max_executions = 0;
  }
  Asking(const Asking&) = delete;
  Asking& operator=(const Asking&) = delete;

  Look::Asked asked() const { return asked_; }
  // How many runs the cube has, as it seemed when the exploration was stopped.
  double outlook() const { return outlook_; }

 private:
  bool is_allowed() {
    if (allowed_ == 0) allowed_ = look_.more_runs();
    if (allowed_ == 0) return false;
    if (allowed_ != Look::any_number) --allowed_;
    return true;
  }

  bool may_continue(const Ongoing& ongoing) {
    const Tree* const tree = ongoing.tree;
    if (asked_ == Look::Asked::proceed && !is_allowed()) asked_ = Look::Asked::stop;
    const bool now = until_look_ != 0 && --until_look_ == 0;
    if (asked_ == Look::Asked::proceed && (pulse_.beats() || now)) ask(ongoing);
    if (asked_ == Look::Asked::proceed) return true;
    if (tree != nullptr && outlook_ == 0) outlook_ = tree->outlook().runs;
    return false;
  }

  void ask(const Ongoing& ongoing) {
    const Tree* const tree = ongoing.tree;
    Look::Live live = live_();
    if (ongoing.counts != nullptr) live.counts = *ongoing.counts;
    live.open = ongoing.open;
    if (tree != nullptr) live.nodes = tree->live_nodes();
    const auto runs = static_cast<double>(runs_of(live.counts));
    live.outlook = [tree, runs] { return tree == nullptr ? runs : tree->outlook().runs; };
    asked_ = look_.look(live);
  }

  Look& look_;
  GetLive live_;
  std::uint64_t allowed_;
  // It is asked before each run, so once more often than runs were made.
  std::uint64_t until_look_ = look_.look_after() == 0 ? 0 : look_.look_after() + 1;
  Pulse pulse_{Look::every};
  Look::Asked asked_ = Look::Asked::proceed;
  double outlook_ = 0;
};

}  // namespace heddle::parallel
