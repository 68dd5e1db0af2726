#include "parallel/split.hpp"

#include <algorithm>

namespace heddle::parallel {
namespace {

struct Part {
  std::string cube;
  double share = 1;  // of the runs of the cube that is split
  bool divisible = true;
};

// The largest part becomes two. False if there is none to split.
bool split_largest(Engine& engine, std::vector<Part>& parts) {
  const auto largest = std::ranges::max_element(
      parts, {}, [](const Part& p) { return p.divisible ? p.share : -p.share; });
  if (!largest->divisible) return false;
  if (const auto halves = engine.halves(largest->cube)) {
    const double share = largest->share / 2;
    *largest = {halves->second, share};
    parts.insert(largest, {halves->first, share});
  } else {
    largest->divisible = false;
  }
  return true;
}

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

std::vector<Item> split_into(Engine& engine, const Item& cube, std::size_t parts,
                             const std::function<bool()>& stop) {
  std::vector<Part> made = {{cube.cube}};
  while (made.size() < parts && !stop() && split_largest(engine, made)) {
  }
  std::vector<Item> out;
  for (Part& p : made)
    out.push_back({.cube = std::move(p.cube), .estimate = cube.estimate * p.share});
  return out;
}

}  // namespace heddle::parallel
