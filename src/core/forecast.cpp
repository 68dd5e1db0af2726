#include "core/forecast.hpp"

#include <algorithm>

namespace heddle {
namespace {

// The number of runs has grown by this factor, while the number stayed within this factor; and
// about half of them are done.
constexpr double memory = 16, steady = 10, least_share = 2.2;
constexpr double apart = 1.05;                   // two points
constexpr double too_high = 1.2, too_low = 1.3;  // it may be, even if it did not move

}  // namespace

void Forecast::note(double runs, double told) {
  if (!points_.empty() && runs < points_.back().runs) points_.clear();
  const std::size_t count = points_.size();
  if (count > 1 && points_[count - 1].runs < apart * points_[count - 2].runs) points_.pop_back();
  points_.push_back({runs, std::max(runs, told)});
  const auto recent = std::ranges::find_if(
      points_, [&](const Point& p) { return p.runs * memory > points_.back().runs; });
  if (recent - points_.begin() > 1) points_.erase(points_.begin(), recent - 1);
}

std::optional<Forecast::Range> Forecast::range() const {
  if (points_.size() < 2) return std::nullopt;
  const Point& now = points_.back();
  if (points_.front().runs * memory > now.runs || now.told > least_share * now.runs)
    return std::nullopt;
  const auto [low, high] = std::ranges::minmax(points_, {}, &Point::told);
  const double moved = high.told / low.told;
  if (moved > steady) return std::nullopt;
  return Range{std::max(low.told / too_high, now.runs), high.told * moved * too_low};
}

}  // namespace heddle
