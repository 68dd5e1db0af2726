#include "parallel/split.hpp"

#include <algorithm>

namespace heddle::parallel {
namespace {

// Of the runs of the cube, in all its parts together.
constexpr double most_in_vain = 0.1;

struct Part {
  std::string cube;
  double share = 1;  // of the runs of the cube that is split
  bool divisible = true;
};

class Splitter {
 public:
  Splitter(Engine& engine, const std::string& cube, Wanted wanted)
      : engine_(engine), wanted_(wanted), parts_{{cube}} {}

  // The largest part becomes two. False if there is none to split.
  bool split_largest() {
    const auto largest = std::ranges::max_element(
        parts_, {}, [](const Part& p) { return p.divisible ? p.share : -p.share; });
    if (!largest->divisible) return false;
    const auto halves = engine_.halves(largest->cube);
    if (!halves || !is_worth(*halves, largest->share)) {
      largest->divisible = false;
      return true;
    }
    const double share = largest->share;
    in_vain_ += share * halves->in_vain;
    // What is in both, and counts in the first.
    *largest = {halves->second, share * (1 - halves->share + halves->in_vain)};
    parts_.insert(largest, {halves->first, share * halves->share});
    return true;
  }

  std::size_t size() const { return parts_.size(); }
  std::vector<Item> items(double estimate) {
    std::vector<Item> out;
    for (Part& p : parts_)
      out.push_back({.cube = std::move(p.cube), .estimate = estimate * p.share});
    return out;
  }

 private:
  bool is_worth(const Halves& halves, double share) const {
    return parts_.size() < wanted_.least || in_vain_ + share * halves.in_vain <= most_in_vain;
  }

  Engine& engine_;
  Wanted wanted_;
  std::vector<Part> parts_;
  double in_vain_ = 0;
};

// Allows a few runs.
class Glance final : public Look {
 public:
  explicit Glance(const std::function<bool()>& stop) : stop_(stop) {}

  Asked look(const Live&) override { return stop_() ? Asked::stop : Asked::proceed; }
  std::uint64_t more_runs() override { return std::exchange(left_, 0); }
  bool is_over() override { return stop_(); }

 private:
  const std::function<bool()>& stop_;
  std::uint64_t left_ = 1000;
};

}  // namespace

double outlook_of_whole(Engine& engine, const std::function<bool()>& stop) {
  Glance glance(stop);
  const Engine::Explored explored = engine.explore({.cube = ""}, glance);
  if (explored.end == Engine::End::learned) throw Learned();
  return explored.outlook;
}

std::vector<Item> split_into(Engine& engine, const Item& cube, Wanted wanted,
                             const std::function<bool()>& stop) {
  Splitter splitter(engine, cube.cube, wanted);
  while (splitter.size() < wanted.parts && !stop() && splitter.split_largest()) {
  }
  return splitter.items(cube.estimate);
}

}  // namespace heddle::parallel
