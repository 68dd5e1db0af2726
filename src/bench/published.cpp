#include "bench/published.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "bench/tables.hpp"

namespace heddle::bench {
namespace {

struct Name {
  std::string_view of_paper, ours;
};
constexpr Name names[] = {
    {"all interleavings", "none"},
    {"source", "source"},
    {"optimal", "optimal"},
    {"optimal + observers", "observers"},
    {"source + context", "published-context"},
    {"context (CDPOR)", "published-context"},
    {"context, no optimisation (CDPOR1)", "published-context"},
    {"optimal + context", "published-optimal-context"},
    {"optimal + context + observers", "published-optimal-context-observers"},
};

}  // namespace

bool Published::is_number() const {
  return !executions.empty() && std::ranges::all_of(executions, [](char c) {
    return std::isdigit(static_cast<unsigned char>(c)) != 0;
  });
}

bool Difference::is_of(const Published& row) const {
  const auto fits = [](const std::string& mine, const std::string& its) {
    return mine == "*" || mine == its;
  };
  return fits(source, row.source) && fits(benchmark, row.benchmark) &&
         fits(parameter, row.parameter) && fits(algorithm, row.algorithm);
}

const Algorithm* algorithm_of_paper(std::string_view name) {
  const auto* const found = std::ranges::find(names, name, &Name::of_paper);
  return found == std::end(names) ? nullptr : find_algorithm(found->ours);
}

Papers::Papers(const std::string& directory) {
  for (const Fields& f :
       read_table(directory + "/published.tsv",
                  {"source", "benchmark", "parameter", "algorithm", "executions", "note"}))
    rows_.push_back({f[0], f[1], f[2], f[3], f[4], f[5]});
  for (const Fields& f :
       read_table(directory + "/published_differences.tsv",
                  {"source", "benchmark", "parameter", "algorithm", "ours", "agrees", "reason"}))
    differences_.push_back({f[0], f[1], f[2], f[3], f[4], f[5], f[6]});
}

Comparison Papers::compare(const Program& program, int size, const Algorithm& algorithm,
                           std::uint64_t executions, bool complete) const {
  const std::string parameter = program.sizes.empty() ? "" : fmt::format("N={}", size);
  const std::string ours = std::to_string(executions);
  Comparison out;
  for (const Published& row : rows_) {
    if (std::ranges::count(program.published, row.benchmark) == 0 || row.parameter != parameter ||
        algorithm_of_paper(row.algorithm) != &algorithm)
      continue;
    if (std::ranges::count(out.published, row.executions) == 0)
      out.published.push_back(row.executions);
    if (!complete || !row.is_number()) continue;
    Agreement agreement = Agreement::equal;
    if (row.executions != ours) {
      const auto known = std::ranges::find_if(
          differences_, [&](const Difference& d) { return d.is_of(row) && d.ours == ours; });
      agreement = known == differences_.end() ? Agreement::differs : Agreement::explained;
      if (known != differences_.end()) out.reason = known->reason;
    }
    out.agreement = std::max(out.agreement, agreement);
  }
  return out;
}

}  // namespace heddle::bench
