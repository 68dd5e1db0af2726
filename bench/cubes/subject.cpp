#include "cubes/subject.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include "base/check.hpp"

namespace heddle::cubes {
namespace {

// What the tree told after this number of runs: between two looks, as if it grew by a power.
double told(const RecordedCube& cube, double runs) {
  const auto next =
      std::ranges::find_if(cube.points, [&](const Point& p) { return p.runs >= runs; });
  if (next == cube.points.end()) return cube.points.back().outlook;
  if (next == cube.points.begin() || next->runs == runs) return next->outlook;
  const Point& a = *std::prev(next);
  const Point& b = *next;
  const double share = std::log(runs / a.runs) / std::log(b.runs / a.runs);
  return a.outlook * std::pow(b.outlook / a.outlook, share);
}

// How nodes grow with the runs of a cube.
double power_of(const Recorded& of) {
  const RecordedCube& whole = of.whole();
  double nodes = 0, runs = 0, count = 0;
  for (const RecordedCube& c : of.cubes) {
    const double share = c.runs() / whole.runs();
    if (share < 1.0 / 12 || share > 1.0 / 6) continue;
    nodes += static_cast<double>(c.nodes);
    runs += c.runs();
    ++count;
  }
  if (count == 0) return 0;
  const double power = std::log(static_cast<double>(whole.nodes) * count / nodes) /
                       std::log(whole.runs() * count / runs);
  return std::clamp(power, 0.0, 1.0);
}

}  // namespace

std::string to_text(const Place& place) { return fmt::format("{}", fmt::join(place, ".")); }

Subject::Subject(const Recorded& of, double wanted) : of_(of), power_(power_of(of)) {
  const auto nearest = [&](double runs) {
    // Without cubes, every run counts.
    const auto off = [&](const RecordedCube& c) {
      return c.discarded != 0 ? std::numeric_limits<double>::infinity()
                              : std::abs(std::log(c.runs() / runs));
    };
    return static_cast<std::size_t>(std::ranges::min_element(of.cubes, {}, off) - of.cubes.begin());
  };
  // The last two levels are of one size, rather than one of them of next to none.
  const double all = of.whole().runs();
  while (wanted > all) {
    const std::size_t level = wanted > all * all ? 0 : nearest(std::sqrt(wanted));
    roots_.push_back(level);
    wanted /= cube(level).runs();
  }
  roots_.push_back(nearest(wanted));
}

Place Subject::place_of(const std::string& text) const {
  if (text.empty()) return whole();
  Place out;
  std::istringstream in(text);
  for (std::string one; std::getline(in, one, '.');) out.push_back(std::stoul(one));
  return out;
}

std::size_t Subject::splits(const Place& place) const {
  std::size_t out = 0;
  for (std::size_t k = 0; k < place.size(); ++k)
    out += cube(place[k]).depth - cube(roots_[k]).depth;
  return out;
}

double Subject::runs(const Place& place) const {
  double out = 1;
  for (const std::size_t k : place) out *= cube(k).runs();
  return out;
}

double Subject::counted(const Place& place) const {
  double out = 1;
  for (const std::size_t k : place) out *= static_cast<double>(cube(k).counted);
  return out;
}

double Subject::outlook(const Place& place, double done) const {
  double out = 1, below = runs(place);
  for (const std::size_t k : place) {
    below /= cube(k).runs();
    if (done >= below) return out * told(cube(k), done / below) * below;
    out *= told(cube(k), 1);
  }
  return out;
}

std::optional<Subject::Halves> Subject::halves(const Place& place) const {
  std::optional<std::size_t> best;
  for (std::size_t k = 0; k < place.size(); ++k) {
    const RecordedCube& c = cube(place[k]);
    if (!c.is_split()) continue;
    if (best && c.cost >= cube(place[*best]).cost) continue;
    best = k;
  }
  if (!best) return {};
  const RecordedCube& split = cube(place[*best]);
  Halves out{place, place, split.in_vain};
  out.first[*best] = split.first;
  out.second[*best] = split.second;
  return out;
}

double Subject::nodes(double done) const {
  return static_cast<double>(of_.whole().nodes) * std::pow(done / of_.whole().runs(), power_);
}

double Subject::runs_until(double nodes) const {
  if (power_ < 0.01) return std::numeric_limits<double>::infinity();
  return of_.whole().runs() * std::pow(nodes / static_cast<double>(of_.whole().nodes), 1 / power_);
}

}  // namespace heddle::cubes
