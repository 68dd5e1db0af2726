#include "native/minimise.hpp"

#include <algorithm>
#include <vector>

#include "base/check.hpp"

namespace heddle::native {
namespace {

// Moves of one thread in a row.
struct Stretch {
  std::size_t begin, end;
};

std::vector<Stretch> stretches(const Schedule& s) {
  std::vector<Stretch> out;
  for (std::size_t k = 0; k < s.size(); ++k) {
    if (k == 0 || s[k].thread != s[k - 1].thread) out.push_back({k, k});
    out.back().end = k + 1;
  }
  return out;
}

// The schedule with the stretch moved to before the move at `to`.
Schedule moved(const Schedule& s, const Stretch& what, std::size_t to) {
  HEDDLE_CHECK(what.begin < what.end && what.end <= s.size());
  HEDDLE_CHECK(to <= what.begin || (to >= what.end && to <= s.size()));
  Schedule out = s;
  const auto at = [&](std::size_t k) { return out.begin() + static_cast<std::ptrdiff_t>(k); };
  if (to <= what.begin)
    std::rotate(at(to), at(what.begin), at(what.end));
  else
    std::rotate(at(what.begin), at(what.end), at(to));
  return out;
}

class Search {
 public:
  Search(Schedule schedule, const Try& attempt, const MinimiseLimits& limits)
      : best_(std::move(schedule)), attempt_(attempt), limits_(limits) {}

  // Each round ends with the first change that helps, since that makes other changes possible.
  Schedule run() {
    while (!exhausted() && (cut_short() || join_stretches())) {
    }
    return best_;
  }

 private:
  bool exhausted() const { return runs_ >= limits_.runs || moves_ >= limits_.moves; }

  bool helps(const Schedule& candidate) {
    if (exhausted()) return false;
    ++runs_;
    moves_ += best_.size();
    std::optional<Schedule> run = attempt_(candidate);
    if (!run || switches(*run) >= switches(best_)) return false;
    best_ = std::move(*run);
    return true;
  }

  // After the end of a schedule threads continue as long as they can: the shorter, the better.
  bool cut_short() {
    for (const Stretch& s : stretches(best_))
      if (helps({best_.begin(), best_.begin() + static_cast<std::ptrdiff_t>(s.begin)})) return true;
    return false;
  }

  // A stretch can join the one of the same thread before it, or be joined by that.
  bool join_stretches() {
    const std::vector<Stretch> all = stretches(best_);
    for (std::size_t later = 2; later < all.size(); ++later)
      for (std::size_t earlier = later - 1; earlier-- > 0;) {
        if (best_[all[earlier].begin].thread != best_[all[later].begin].thread) continue;
        if (helps(moved(best_, all[later], all[earlier].end)) ||
            helps(moved(best_, all[earlier], all[later].begin)))
          return true;
        break;
      }
    return false;
  }

  Schedule best_;
  const Try& attempt_;
  const MinimiseLimits& limits_;
  std::size_t runs_ = 0, moves_ = 0;
};

}  // namespace

std::size_t switches(const Schedule& schedule) {
  const std::size_t n = stretches(schedule).size();
  return n == 0 ? 0 : n - 1;
}

Schedule minimised(Schedule schedule, const Try& attempt, const MinimiseLimits& limits) {
  const std::size_t before = switches(schedule);
  Schedule out = Search(std::move(schedule), attempt, limits).run();
  HEDDLE_CHECK(switches(out) <= before);
  return out;
}

}  // namespace heddle::native
