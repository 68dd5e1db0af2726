#include "report/page_drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "report/markup.hpp"
#include "report/style.hpp"

namespace heddle::report {
namespace {

constexpr std::size_t most_threads = 12;  // that a circle has room for
constexpr double width = 420, height = 300,
                 node = 24;               // of the drawing of a circle; a node's radius
constexpr std::size_t longest_name = 22;  // of an object
constexpr std::size_t colours = 8;        // of threads, as in the style

struct Point {
  double x = 0, y = 0;
};

std::vector<unsigned> threads_of(const std::vector<Wait>& waits) {
  std::vector<unsigned> out;
  for (const Wait& wait : waits)
    for (const unsigned thread : {wait.thread, wait.for_thread})
      if (std::ranges::find(out, thread) == out.end()) out.push_back(thread);
  return out;
}

Point position(std::size_t k, std::size_t all) {
  const double angle = 2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(all);
  return {width / 2 + (width / 2 - 70) * std::sin(angle),
          height / 2 - (height / 2 - 40) * std::cos(angle)};
}

// From the edge of a node to the edge of another, bent to the left so that arrows in both
// directions are two.
std::string arrow(const Wait& wait, Point a, Point b, const std::string& id) {
  const double dx = b.x - a.x, dy = b.y - a.y, length = std::max(std::hypot(dx, dy), 1.0);
  const Point bend{(a.x + b.x) / 2 + 22 * dy / length, (a.y + b.y) / 2 - 22 * dx / length};
  const auto near = [&](Point from) {
    const double x = bend.x - from.x, y = bend.y - from.y, l = std::max(std::hypot(x, y), 1.0);
    return Point{from.x + (node + 4) * x / l, from.y + (node + 4) * y / l};
  };
  const Point begin = near(a), end = near(b);
  const std::string label = wait.object.empty() ? "its end" : cut(wait.object, longest_name);
  return fmt::format(
      "<path class=\"wait{}\" d=\"M{:.1f} {:.1f} Q{:.1f} {:.1f} {:.1f} {:.1f}\" "
      "marker-end=\"url(#{}-tip)\"/><text class=\"object\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>",
      wait.circular ? " circular" : "", begin.x, begin.y, bend.x, bend.y, end.x, end.y, id,
      (a.x + b.x) / 4 + bend.x / 2, (a.y + b.y) / 4 + bend.y / 2 + 4, escaped(label));
}

std::string described(const std::vector<Wait>& waits) {
  std::string out = "Which thread waits for which.";
  for (const Wait& wait : waits)
    out += fmt::format(" Thread {} waits for {} of thread {}.", wait.thread,
                       wait.object.empty() ? "the end" : wait.object, wait.for_thread);
  return out;
}

}  // namespace

std::string drawing_of(const std::vector<Wait>& waits, const std::string& id) {
  const std::vector<unsigned> threads = threads_of(waits);
  if (threads.empty() || threads.size() > most_threads) return "";
  const auto place_of = [&](unsigned thread) {
    const auto at = std::ranges::find(threads, thread) - threads.begin();
    return position(static_cast<std::size_t>(at), threads.size());
  };
  std::string out = fmt::format(
      "<svg class=\"circle\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\"><defs><marker "
      "id=\"{}-tip\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" "
      "markerHeight=\"7\" "
      "orient=\"auto-start-reverse\"><path class=\"tip\" d=\"M0 0L8 4L0 8z\"/></marker></defs>",
      width, height, escaped(described(waits)), id);
  for (const Wait& wait : waits)
    if (wait.thread != wait.for_thread)
      out += arrow(wait, place_of(wait.thread), place_of(wait.for_thread), id);
  for (const unsigned thread : threads) {
    const Point at = place_of(thread);
    out += fmt::format(
        "<circle class=\"node t{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\"/><text class=\"thread\" "
        "x=\"{:.1f}\" y=\"{:.1f}\">T{}</text>",
        thread % colours, at.x, at.y, node, at.x, at.y + 5, thread);
  }
  return out + "</svg>\n";
}

std::string drawing_of(const std::vector<native::Progress>& samples) {
  constexpr double wide = 420, high = 90;
  struct Rate {
    double at, value;
  };
  std::vector<Rate> rates;
  native::Progress last;
  const auto runs = [](const native::Progress& p) {
    return static_cast<double>(p.counts.executions + p.counts.blocked);
  };
  for (const native::Progress& p : samples) {
    if (p.seconds > last.seconds)
      rates.push_back(
          {p.seconds, std::max(0.0, runs(p) - runs(last)) / (p.seconds - last.seconds)});
    last = p;
  }
  if (rates.size() < 3) return "";
  const double most = std::max(1.0, std::ranges::max(rates, {}, &Rate::value).value);
  std::string points;
  for (const Rate& rate : rates)
    points += fmt::format("{:.1f},{:.1f} ", wide * rate.at / rates.back().at,
                          high - (high - 4) * rate.value / most);
  return fmt::format(
      "<figure class=\"rate\"><svg viewBox=\"0 0 {0} {1}\" role=\"img\" aria-label=\"Runs per "
      "second over {2:.1f} seconds, at most {3:.0f}\"><polyline points=\"{4}\"/></svg>"
      "<figcaption>runs per second, over {2:.1f} s (at most {3:.0f})</figcaption></figure>\n",
      wide, high, rates.back().at, most, points);
}

}  // namespace heddle::report
