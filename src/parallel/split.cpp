#include "parallel/split.hpp"

#include <algorithm>
#include <tuple>

namespace heddle::parallel {
namespace {

// Allows a few runs.
class Probe final : public Look {
 public:
  explicit Probe(const std::function<bool()>& stop) : stop_(stop) {}

  Asked look(const Live&) override { return stop_() ? Asked::stop : Asked::proceed; }
  std::uint64_t more_runs() override { return std::exchange(left_, 0); }
  bool is_over() override { return stop_(); }

 private:
  const std::function<bool()>& stop_;
  std::uint64_t left_ = probe_runs;
};

constexpr double first_of_all = 1e300;  // an estimate that is larger than any

struct Part {
  double estimate;
  std::string cube;
  unsigned depth = 0;  // how often it was split
  bool divisible = true;
};

class Splitter {
 public:
  Splitter(Engine& engine, const OnComplete& on_complete, const std::function<bool()>& stop)
      : engine_(engine), on_complete_(on_complete), stop_(stop) {}

  Split run(const std::string& cube, std::size_t wanted) {
    parts_.push_back({0, cube});
    while (parts_.size() < wanted && !stop_()) {
      // Of those that seem to be of one size, the one that was split least.
      const auto largest = std::ranges::max_element(parts_, {}, [](const Part& p) {
        return std::tuple(p.divisible, p.estimate, -static_cast<int>(p.depth));
      });
      if (largest == parts_.end() || !largest->divisible) break;
      split(static_cast<std::size_t>(largest - parts_.begin()));
    }
    for (Part& p : parts_)
      out_.parts.push_back({.cube = std::move(p.cube), .estimate = p.estimate});
    return std::move(out_);
  }

 private:
  void split(std::size_t at) {
    const unsigned depth = parts_[at].depth + 1;
    const auto halves = engine_.halves(parts_[at].cube);
    if (!halves) {
      parts_[at].divisible = false;
      return;
    }
    parts_.erase(parts_.begin() + static_cast<std::ptrdiff_t>(at));
    const auto place = [&] { return parts_.begin() + static_cast<std::ptrdiff_t>(at); };
    for (const std::string& half : {halves->second, halves->first})
      if (const auto part = probed(half, depth)) parts_.insert(place(), *part);
  }

  // None if all of its runs are done.
  std::optional<Part> probed(const std::string& cube, unsigned depth) {
    Probe look(stop_);
    const Engine::Explored explored = engine_.explore({.cube = cube}, look);
    if (explored.end == Engine::End::learned) throw Learned();
    if (explored.end == Engine::End::complete && on_complete_) {
      on_complete_(cube);
      return {};
    }
    if (explored.end == Engine::End::complete) return Part{explored.outlook, cube, depth, false};
    out_.thrown_away += probe_runs;
    // Where something was found, it is worth the while to look at once.
    if (explored.end == Engine::End::found) return Part{first_of_all, cube, depth, false};
    return Part{std::max(explored.outlook, static_cast<double>(probe_runs)), cube, depth};
  }

  Engine& engine_;
  const OnComplete& on_complete_;
  const std::function<bool()>& stop_;
  std::vector<Part> parts_;
  Split out_;
};

}  // namespace

Split split_into(Engine& engine, const std::string& cube, std::size_t wanted,
                 const OnComplete& on_complete, const std::function<bool()>& stop) {
  return Splitter(engine, on_complete, stop).run(cube, wanted);
}

}  // namespace heddle::parallel
