#include "cubes/recorded.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <istream>
#include <ostream>
#include <sstream>

#include "base/check.hpp"

namespace heddle::cubes {
namespace {

std::vector<double> numbers(const std::string& text) {
  std::vector<double> out;
  std::istringstream in(text);
  for (std::string one; std::getline(in, one, ',');) out.push_back(std::stod(one));
  return out;
}

RecordedCube cube_of(const std::string& line) {
  std::istringstream in(line);
  RecordedCube out;
  std::string outlooks;
  in >> out.depth >> out.counted >> out.discarded >> out.microseconds >> out.nodes >> out.cost >>
      out.in_vain >> outlooks;
  const auto looks = Recorded::looks(out.counted + out.discarded);
  const auto told = numbers(outlooks);
  if (!in || told.size() != looks.size())
    throw Misuse(fmt::format("not a recorded cube: {}", line));
  for (std::size_t k = 0; k < looks.size(); ++k)
    out.points.push_back({static_cast<double>(looks[k]), told[k]});
  return out;
}

// Finds the halves of each cube by their depth, in the order in which they were written.
void link(Recorded& recorded) {
  std::vector<std::size_t> above;  // the last one of each depth
  for (std::size_t k = 0; k < recorded.cubes.size(); ++k) {
    const unsigned depth = recorded.cubes[k].depth;
    if (depth > above.size() || (depth == 0) != (k == 0))
      throw Misuse(fmt::format("{}: a cube that is no half of another", recorded.program));
    above.resize(depth);
    if (depth > 0) {
      RecordedCube& of = recorded.cubes[above[depth - 1]];
      if (of.second != 0) throw Misuse(fmt::format("{}: a third half", recorded.program));
      (of.first == 0 ? of.first : of.second) = k;
    }
    above.push_back(k);
  }
  for (const RecordedCube& c : recorded.cubes)
    if (c.is_split() &&
        (c.second == 0 ||
         recorded.cubes[c.first].counted + recorded.cubes[c.second].counted != c.counted))
      throw Misuse(fmt::format("{}: halves that do not add up", recorded.program));
}

}  // namespace

std::vector<std::uint64_t> Recorded::looks(std::uint64_t runs) {
  std::vector<std::uint64_t> out;
  for (std::uint64_t k = 1; k < runs; k *= 4) out.push_back(k);
  out.push_back(runs);
  return out;
}

void write(std::ostream& to, const Recorded& recorded) {
  to << fmt::format("= {} {} {}\n", recorded.program, recorded.size, recorded.algorithm);
  for (const RecordedCube& c : recorded.cubes) {
    std::vector<std::string> outlooks;
    for (const Point& p : c.points) outlooks.push_back(fmt::format("{:.0f}", p.outlook));
    to << fmt::format("{} {} {} {} {} {:.2f} {:.2f} {}\n", c.depth, c.counted, c.discarded,
                      c.microseconds, c.nodes, c.cost, c.in_vain, fmt::join(outlooks, ","));
  }
}

std::vector<Recorded> read(std::istream& from) {
  std::vector<Recorded> out;
  for (std::string line; std::getline(from, line);) {
    if (line.empty() || line.front() == '#') continue;
    if (line.front() == '=') {
      std::istringstream in(line.substr(1));
      Recorded& now = out.emplace_back();
      if (!(in >> now.program >> now.size >> now.algorithm))
        throw Misuse(fmt::format("not an exploration: {}", line));
    } else if (out.empty()) {
      throw Misuse(fmt::format("a cube of no program: {}", line));
    } else {
      out.back().cubes.push_back(cube_of(line));
    }
  }
  for (Recorded& recorded : out) {
    if (recorded.cubes.empty()) throw Misuse(recorded.program + ": no cubes");
    link(recorded);
  }
  return out;
}

}  // namespace heddle::cubes
