// Which threads are to continue, so that few runs end among moves that sleep. For merging
// (merging.hpp).
//
// A run that ends there was in vain: what follows is explored elsewhere, after the moves that
// sleep. They sleep because they were run first. So threads whose moves were found asleep there are
// run later from now on, which is no matter of soundness. In `lastzero`, of 12 threads, it
// leaves a tenth of such runs.
//
// A run that reverses a race is to come to the second event of it: what came first then wakes. So
// the threads of which that has events continue first. In `lastzero`, it leaves four of five
// states.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/reduction/configurations.hpp"
#include "model/runner.hpp"

namespace heddle {

class Blame {
 public:
  explicit Blame(std::size_t threads) : blamed_(threads), weights_(threads, heaviest) {}

  // As Request has them, where these threads are needed for what a run was planned for. Valid until
  // the next call.
  std::span<const std::uint32_t> weights(ThreadBits toward) {
    if (toward == 0) return weights_;
    toward_.clear();
    for (std::size_t t = 0; t < weights_.size(); ++t)
      toward_.push_back((toward & thread_bit(t)) != 0 ? weights_[t] * preferred : weights_[t]);
    return toward_;
  }

  // A run ended where only these could have been made.
  void note(std::span<const AsleepMove> asleep) {
    constexpr double memory = .99;  // the last hundred of these runs count
    for (double& b : blamed_) b *= memory;
    for (const AsleepMove& m : asleep) ++blamed_[m.move.thread];
    for (std::size_t t = 0; t < weights_.size(); ++t) {
      const double less = 1 + blamed_[t];
      weights_[t] = 1 + static_cast<std::uint32_t>(heaviest / (less * less));
    }
  }

 private:
  static constexpr std::uint32_t heaviest = 1'000'000;
  static constexpr std::uint32_t preferred = 100;  // as good as 10 and 1000, in `lastzero`

  std::vector<double> blamed_;  // by thread
  std::vector<std::uint32_t> weights_;
  std::vector<std::uint32_t> toward_;  // scratch
};

}  // namespace heddle
