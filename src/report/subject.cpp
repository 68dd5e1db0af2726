#include "report/subject.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

namespace heddle::report {

using findings::Finding;

namespace {

// "1 event", "2 events"
std::string counted(std::uint64_t n, std::string_view what) {
  return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
}

// Of several graphs, states that they have in common count in each.
std::string graph_text(const native::Report& report) {
  const Counts& counts = report.counts;
  return fmt::format(
      "{} with {}{}", counted(counts.states, "state"), counted(counts.edges, "edge"),
      report.overhead.cubes > 1 ? fmt::format(" in {} parts", report.overhead.cubes) : "");
}

std::string algorithm_text(const Subject& subject) {
  return subject.chose ? subject.algorithm + ", chosen by auto" : subject.algorithm;
}

}  // namespace

std::string runs_text(const Counts& counts) {
  std::vector<std::string> parts = {counted(counts.executions, "execution")};
  if (counts.blocked != 0) parts.push_back(fmt::format("{} blocked", counts.blocked));
  if (counts.merged != 0) parts.push_back(fmt::format("{} merged", counts.merged));
  const std::string last = std::move(parts.back());
  parts.pop_back();
  return parts.empty() ? last : fmt::format("{} and {}", fmt::join(parts, ", "), last);
}

bool meets_expectation(const Subject& subject, const native::Report& report) {
  if (subject.expected == report.verdict()) return true;
  return std::ranges::any_of(report.findings,
                             [&](const Finding& f) { return f.kind_name() == subject.expected; });
}

std::string verdict_line(const Subject& subject, const native::Report& report) {
  const Counts& counts = report.counts;
  return fmt::format("{}: {}{}, {}, {:.3f} s ({})", report.verdict(), runs_text(counts),
                     counts.states == 0 ? "" : fmt::format(", {}", graph_text(report)),
                     counted(counts.events, "event"), report.seconds, algorithm_text(subject));
}

}  // namespace heddle::report
