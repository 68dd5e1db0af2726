#include "bench/format.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace heddle::bench {
namespace {

constexpr std::string_view columns[] = {"program", "algorithm", "of",   "executions",
                                        "blocked", "merged",    "time", "runs/s",
                                        "memory",  "published"};
constexpr std::size_t first_number = 3, published_column = std::size(columns) - 1;

std::string time_text(const Measurement& m) {
  return m.complete ? fmt::format("{:.3f} s", m.seconds) : fmt::format("> {:.3g} s", m.seconds);
}

std::string memory_text(const Measurement& m) {
  return fmt::format("{} MB", (m.peak_memory_kb + 512) / 1024);
}

std::string rate_text(double rate) {
  return rate < 10 ? fmt::format("{:.1f}", rate) : fmt::format("{:.0f}", rate);
}

const char* name_of(Agreement agreement) {
  switch (agreement) {
    case Agreement::nothing:
      return "nothing";
    case Agreement::equal:
      return "equal";
    case Agreement::explained:
      return "explained";
    case Agreement::differs:
      return "differs";
  }
  return "";
}

const char* subject_of(const Row& row) { return row.native ? "program" : "model"; }

}  // namespace

Table::Table(Style style, const Options& options) : style_(style) {
  for (const std::string_view c : columns) widths_.push_back(c.size());
  const auto widen = [&](std::size_t column, std::size_t to) {
    widths_[column] = std::max(widths_[column], to);
  };
  for (const Program* p : options.programs)
    widen(0, title(*p, p->sizes.empty() ? 0 : p->sizes.back()).size());
  for (const Algorithm* a : options.algorithms) widen(1, a->name.size());
  widen(2, std::string_view("program").size());
  for (std::size_t k = first_number; k < published_column; ++k) widen(k, 9);
}

std::string Table::laid_out(const std::vector<std::string>& cells) const {
  if (style_ == Style::markdown) return fmt::format("| {} |\n", fmt::join(cells, " | "));
  std::string out;
  for (std::size_t k = 0; k < published_column; ++k)
    out += k < first_number ? fmt::format("{:<{}}  ", cells[k], widths_[k])
                            : fmt::format("{:>{}}  ", cells[k], widths_[k]);
  out += cells[published_column];
  return out.substr(0, out.find_last_not_of(' ') + 1) + "\n";
}

std::string Table::head() const {
  std::string out = laid_out({std::begin(columns), std::end(columns)});
  if (style_ == Style::text) return out;
  std::vector<std::string> rules;
  for (std::size_t k = 0; k < std::size(columns); ++k)
    rules.emplace_back(k < first_number || k == published_column ? "---" : "---:");
  return out + laid_out(rules);
}

std::string Table::published_cell(const Comparison& compared) {
  const std::string published = fmt::format("{}", fmt::join(compared.published, ", "));
  switch (compared.agreement) {
    case Agreement::nothing:
      return published;
    case Agreement::equal:
      return "= " + published;
    case Agreement::differs:
      return published + " DIFFERS";
    case Agreement::explained:
      break;
  }
  auto note = std::ranges::find(notes_, compared.reason);
  if (note == notes_.end()) note = notes_.insert(note, compared.reason);
  return fmt::format("{} ({})", published, note - notes_.begin() + 1);
}

std::string Table::line(const Row& row) {
  const Measurement& m = row.measured;
  std::vector<std::string> cells = {title(*row.program, row.size), std::string(row.algorithm->name),
                                    subject_of(row)};
  if (!row.tried) {
    cells.insert(cells.end(), {"-", "-", "-", "not tried", "-", "-"});
  } else if (!row.native && !m.complete) {
    cells.insert(cells.end(), {"-", "-", "-", time_text(m), "-", memory_text(m)});
  } else {
    cells.push_back(fmt::format("{}{}", m.counts.executions, m.complete ? "" : "+"));
    for (const std::uint64_t count : {m.counts.blocked, m.counts.merged})
      cells.push_back(std::to_string(count));
    cells.push_back(time_text(m));
    cells.push_back(rate_text(row.runs_per_second()));
    cells.push_back(memory_text(m));
  }
  cells.push_back(m.finding ? "FINDING" : published_cell(row.compared));
  return laid_out(cells);
}

std::string Table::foot(const std::vector<Row>& rows, double seconds) const {
  const auto with_status = [&](std::string_view status) {
    return std::ranges::count_if(rows, [&](const Row& r) { return r.status() == status; });
  };
  const auto that = [&](Agreement agreement) {
    return std::ranges::count_if(rows,
                                 [&](const Row& r) { return r.compared.agreement == agreement; });
  };
  std::string out = "\n";
  for (std::size_t k = 0; k < notes_.size(); ++k)
    out += style_ == Style::text ? fmt::format("({}) {}\n", k + 1, notes_[k])
                                 : fmt::format("{}. {}\n", k + 1, notes_[k]);
  if (!notes_.empty() && style_ == Style::markdown) out += "\n";
  return out + fmt::format(
                   "{} rows: {} as published, {} explained, {} differ, {} with nothing to compare; "
                   "{} stopped after {:.3g} s, {} not tried since a smaller size was\n",
                   rows.size(), that(Agreement::equal), that(Agreement::explained),
                   that(Agreement::differs), that(Agreement::nothing), with_status("stopped"),
                   seconds, with_status("not-tried"));
}

report::Json to_json(const Row& row) {
  const Measurement& m = row.measured;
  report::Json out = {
      {"program", row.program->name},
      {"size", row.program->sizes.empty() ? report::Json() : report::Json(row.size)},
      {"algorithm", row.algorithm->name},
      {"of", subject_of(row)},
      {"status", row.status()},
      {"executions", m.counts.executions},
      {"blocked", m.counts.blocked},
      {"merged", m.counts.merged},
      {"events", m.counts.events},
      {"states", m.counts.states},
      {"edges", m.counts.edges},
      {"seconds", m.seconds},
      {"engines", m.overhead.engines},
      {"peak_rss_kb", m.peak_memory_kb},
      {"published", row.compared.published},
      {"agreement", name_of(row.compared.agreement)}};
  if (!row.compared.reason.empty()) out["reason"] = row.compared.reason;
  return out;
}

}  // namespace heddle::bench
