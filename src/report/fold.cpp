#include "report/fold.hpp"

#include <algorithm>
#include <map>
#include <span>

#include "base/check.hpp"

namespace heddle::report {
namespace {

using findings::Row;

// Numbers of rows, chosen so that a report fits on a page. A trace of no more than the first is not
// shortened further; of a long stretch of one thread, and of a long trace, this many rows at the
// beginning and at the end are shown.
constexpr std::size_t short_enough = 24;
constexpr std::size_t stretch_begin = 2, stretch_end = 3;
constexpr std::size_t trace_begin = 8, trace_end = 40;

bool is_marked(const Row& row) { return row.kind != Row::Kind::step; }

// Also marks the row of the thread right before and right after a marked row.
std::vector<bool> near_marked(const std::vector<const Row*>& rows) {
  std::vector<bool> near(rows.size());
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (!is_marked(*rows[k])) continue;
    near[k] = true;
    if (k > 0 && rows[k - 1]->thread == rows[k]->thread) near[k - 1] = true;
    if (k + 1 < rows.size() && rows[k + 1]->thread == rows[k]->thread) near[k + 1] = true;
  }
  return near;
}

using Times = std::map<const Row*, std::size_t>;  // how many times in a row each occurs

// The line that replaces these rows.
Shown left_out(std::span<const Row* const> rows, const Times& times) {
  Shown out;
  out.thread = rows[0]->thread;
  out.library = rows[0]->library;
  for (const Row* row : rows) {
    out.folded += times.at(row);
    if (out.thread != row->thread) out.thread.reset();
  }
  return out;
}

// Steps of libraries are left out thread by thread, and separately from other steps.
bool go_together(const Row& a, const Row& b) {
  return a.library == b.library && (!a.library || a.thread == b.thread);
}

// Leaves out the rows that are not kept. A single row is kept, since a line about it would be no
// shorter; not so for libraries, where the line says more.
std::vector<Shown> keep(const std::vector<const Row*>& rows, const std::vector<bool>& kept,
                        const Times& times) {
  HEDDLE_CHECK(kept.size() == rows.size());
  std::vector<Shown> out;
  for (std::size_t begin = 0, end = 0; begin < rows.size(); begin = end) {
    end = begin + 1;
    while (!kept[begin] && end < rows.size() && !kept[end] && go_together(*rows[begin], *rows[end]))
      ++end;
    if (kept[begin] || (end == begin + 1 && !rows[begin]->library))
      out.push_back({rows[begin], times.at(rows[begin])});
    else
      out.push_back(left_out(std::span(rows).subspan(begin, end - begin), times));
  }
  return out;
}

std::size_t count(const std::vector<bool>& kept) {
  return static_cast<std::size_t>(std::ranges::count(kept, true));
}

void fold_stretches(const std::vector<const Row*>& rows, std::vector<bool>& kept) {
  for (std::size_t begin = 0, end = 0; begin < rows.size(); begin = end) {
    while (end < rows.size() && rows[end]->thread == rows[begin]->thread) ++end;
    std::vector<std::size_t> shown;
    for (std::size_t k = begin; k < end; ++k)
      if (kept[k]) shown.push_back(k);
    for (std::size_t n = stretch_begin; n + stretch_end < shown.size(); ++n)
      if (!is_marked(*rows[shown[n]])) kept[shown[n]] = false;
  }
}

void fold_middle(const std::vector<const Row*>& rows, std::vector<bool>& kept) {
  const std::size_t all = count(kept);
  std::size_t n = 0;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (!kept[k]) continue;
    ++n;
    if (n > trace_begin && n + trace_end <= all && !is_marked(*rows[k])) kept[k] = false;
  }
}

}  // namespace

std::vector<Shown> folded(const findings::Trace& trace) {
  std::vector<const Row*> rows;
  Times times;
  for (std::size_t k = 0; k < trace.end; ++k) {
    const Row& row = trace.rows[k];
    if (row.routine) continue;
    if (rows.empty() || !reads_the_same(*rows.back(), row)) rows.push_back(&row);
    ++times[rows.back()];
  }
  std::vector<bool> kept(rows.size());
  for (std::size_t k = 0; k < rows.size(); ++k) kept[k] = !rows[k]->library;
  if (count(kept) > short_enough) {
    const std::vector<bool> near = near_marked(rows);
    for (std::size_t k = 0; k < rows.size(); ++k) kept[k] = kept[k] && (!rows[k]->own || near[k]);
  }
  if (count(kept) > short_enough) fold_stretches(rows, kept);
  if (count(kept) > trace_begin + trace_end) fold_middle(rows, kept);
  return keep(rows, kept, times);
}

std::vector<Shown> unfolded(const findings::Trace& trace) {
  std::vector<Shown> out;
  for (const Row& row : trace.rows) out.push_back({&row});
  return out;
}

}  // namespace heddle::report
