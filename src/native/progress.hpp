// How far an exploration is, and what makes it stop before its end.
#pragma once

#include <algorithm>
#include <chrono>
#include <csignal>
#include <functional>
#include <string>

#include "base/resources.hpp"
#include "core/result.hpp"

namespace heddle::native {

struct Progress {
  Counts counts;
  std::size_t findings = 0;  // distinct ones
  std::uint64_t open = 0;    // states that have moves to be run, if there is a graph of them
  double seconds = 0;
  double outlook = 0;  // runs in all, as far as can be told; 0: nothing is known
};

struct Limits {
  double seconds = 0;           // 0: none
  std::uint64_t memory_kb = 0;  // of this process and other engines; 0: none
  // Set by a signal handler to stop the exploration.
  const volatile std::sig_atomic_t* interrupted = nullptr;
  // Asked as often as progress is shown; true: stop, as Watch::paused, so that another can take
  // over.
  std::function<bool(const Progress&)> pauses = {};
  double before = 0;  // seconds that the same exploration has taken before
};

// Asked now and then whether to continue.
class Watch {
 public:
  Watch(const Limits& limits, std::function<void(const Progress&)> on_progress)
      : limits_(limits), on_progress_(std::move(on_progress)) {}

  // `memory_kb` is what other processes of the exploration have. `progress` returns counts,
  // findings and outlook; the time is added here. REQUIRES: it is not called more often than is
  // worth a look at the clock.
  bool may_continue(long memory_kb, const std::function<Progress()>& progress);

  // The same, for code that waits for something else meanwhile.
  bool is_over();

  // Whether to save a checkpoint now: `every` seconds after the last one, or later if saving would
  // take more than a small share of the time.
  bool is_time_to_save(double every) const {
    return looked_at_ >= saved_at_ + std::max(every, pause_);
  }
  void has_saved(double seconds);

  // Why it stopped; empty: it did not.
  const std::string& stopped() const { return stopped_; }
  static constexpr const char* paused = "paused";
  double seconds() const { return limits_.before + stopwatch_.seconds(); }

 private:
  bool is_interrupted() const {
    return limits_.interrupted != nullptr && *limits_.interrupted != 0;
  }
  bool check_time();
  bool stop(std::string why);

  const Limits& limits_;
  std::function<void(const Progress&)> on_progress_;
  Stopwatch stopwatch_;
  std::string stopped_;
  double looked_at_ = 0, show_at_ = limits_.before + 0.2, saved_at_ = limits_.before, pause_ = 0;
};

}  // namespace heddle::native
