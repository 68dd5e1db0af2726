#include "report/subject.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace heddle::report {

using native::Finding;

bool meets_expectation(const Subject& subject, const native::Report& report) {
  if (subject.expected == report.verdict()) return true;
  return std::ranges::any_of(report.findings,
                             [&](const Finding& f) { return f.kind_name() == subject.expected; });
}

std::string verdict_line(const Subject& subject, const native::Report& report) {
  const Counts& counts = report.counts;
  return fmt::format("{}: {} executions{}, {} events, {:.3f} s ({})", report.verdict(),
                     counts.executions,
                     counts.blocked == 0 ? "" : fmt::format(" and {} blocked", counts.blocked),
                     counts.transitions, report.seconds, subject.algorithm);
}

}  // namespace heddle::report
