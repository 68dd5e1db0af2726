#include "report/subject.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace heddle::report {

using findings::Finding;

namespace {

// "1 event", "2 events"
std::string counted(std::uint64_t n, std::string_view what) {
  return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
}

}  // namespace

bool meets_expectation(const Subject& subject, const native::Report& report) {
  if (subject.expected == report.verdict()) return true;
  return std::ranges::any_of(report.findings,
                             [&](const Finding& f) { return f.kind_name() == subject.expected; });
}

std::string verdict_line(const Subject& subject, const native::Report& report) {
  const Counts& counts = report.counts;
  return fmt::format("{}: {}{}, {}, {:.3f} s ({})", report.verdict(),
                     counted(counts.executions, "execution"),
                     counts.blocked == 0 ? "" : fmt::format(" and {} blocked", counts.blocked),
                     counted(counts.events, "event"), report.seconds, subject.algorithm);
}

}  // namespace heddle::report
