// How far an exploration is, and what makes it stop before its end.
#pragma once

#include <chrono>
#include <csignal>
#include <functional>
#include <string>

#include "base/resources.hpp"
#include "core/result.hpp"

namespace heddle::native {

struct Progress {
  Counts counts;
  std::size_t findings = 0;  // different ones
  double seconds = 0;
  Outlook outlook;
};

struct Limits {
  double seconds = 0;           // 0: none
  std::uint64_t memory_kb = 0;  // of this process; 0: none
  // Set by others to have the exploration stopped.
  const volatile std::sig_atomic_t* interrupted = nullptr;
};

// Asked before each run whether to go on. What takes time is looked at now and then only.
class Watch {
 public:
  Watch(const Limits& limits, std::function<void(const Progress&)> on_progress)
      : limits_(limits), on_progress_(std::move(on_progress)) {}

  // The progress lacks the time and the outlook; without a tree, there is none.
  template <typename GetProgress>
  bool go_on(const Tree* tree, GetProgress progress) {
    if (limits_.interrupted != nullptr && *limits_.interrupted != 0) return stop("interrupted");
    if (--until_look_ > 0) return true;
    return look(tree, progress());
  }

  // Why it stopped; empty: it did not.
  const std::string& stopped() const { return stopped_; }
  double seconds() const { return stopwatch_.seconds(); }

 private:
  bool look(const Tree* tree, Progress progress);
  bool stop(std::string why);

  const Limits& limits_;
  std::function<void(const Progress&)> on_progress_;
  Stopwatch stopwatch_;
  std::string stopped_;
  unsigned until_look_ = 1, stride_ = 1;
  double looked_at_ = 0, show_at_ = 0.2;
};

}  // namespace heddle::native
