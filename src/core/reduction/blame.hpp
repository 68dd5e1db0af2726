// Which threads are to continue, so that few runs end among moves that sleep. For merging
// (merging.hpp).
//
// A run that ends there was in vain: what follows is explored elsewhere, after the moves that
// sleep. They sleep because they were run first. So threads whose moves were found asleep there are
// run later from now on, which is no matter of soundness. In `lastzero`, of 12 threads, it
// leaves a tenth of such runs.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/runner.hpp"

namespace heddle {

class Blame {
 public:
  explicit Blame(std::size_t threads) : blamed_(threads), weights_(threads, heaviest) {}

  // As Request has them.
  std::span<const std::uint32_t> weights() const { return weights_; }

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

  std::vector<double> blamed_;  // by thread
  std::vector<std::uint32_t> weights_;
};

}  // namespace heddle
