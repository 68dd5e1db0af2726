#include "native/progress.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace heddle::native {
namespace {

// Seconds between two progress reports, which people can just follow. Computing the outlook takes
// no more than this share of the time.
constexpr double show_every = 0.2, outlook_share = 0.05;

}  // namespace

bool Watch::may_continue(long memory_kb, const std::function<Progress()>& progress) {
  if (is_interrupted()) return stop("interrupted");
  const double now = seconds();
  looked_at_ = now;
  if (!check_time()) return false;
  if (limits_.memory_kb > 0 &&
      static_cast<std::uint64_t>(peak_rss_kb() + memory_kb) >= limits_.memory_kb)
    return stop(fmt::format("the memory limit of {} MB was reached", limits_.memory_kb / 1024));
  if (!(on_progress_ || limits_.pauses) || now < show_at_) return true;
  Progress shown = progress();
  shown.seconds = seconds();
  show_at_ = shown.seconds + std::max(show_every, (shown.seconds - now) / outlook_share);
  if (on_progress_) on_progress_(shown);
  return !limits_.pauses || !limits_.pauses(shown) || stop(paused);
}

bool Watch::check_time() {
  if (limits_.seconds <= 0 || seconds() < limits_.seconds) return true;
  return stop(fmt::format("the time limit of {} s was reached", limits_.seconds));
}

bool Watch::is_over() {
  if (is_interrupted()) stop("interrupted");
  return is_interrupted() || !check_time();
}

void Watch::has_saved(double seconds) {
  saved_at_ = this->seconds();
  pause_ = seconds / outlook_share;
}

bool Watch::stop(std::string why) {
  stopped_ = std::move(why);
  return false;
}

}  // namespace heddle::native
