#include "report/fold.hpp"

#include <algorithm>
#include <map>

namespace heddle::report {
namespace {

using native::Row;

constexpr std::size_t short_enough = 24;                   // rows: nothing more is left out
constexpr std::size_t stretch_begin = 2, stretch_end = 3;  // of a long stretch, these are shown
constexpr std::size_t trace_begin = 8, trace_end = 40;     // of a long trace

bool is_marked(const Row& row) { return row.kind != Row::Kind::step; }

bool is_same(const Row& a, const Row& b) {
  return a.kind == b.kind && a.thread == b.thread && a.what == b.what && a.with == b.with &&
         a.place.line == b.place.line && a.place.file == b.place.file;
}

// What a thread does right before and after a marked row belongs to it.
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

// Leaves out the rows that are not kept.
std::vector<Shown> keep(const std::vector<const Row*>& rows, const std::vector<bool>& kept) {
  std::vector<Shown> out;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (kept[k]) {
      out.push_back({rows[k], 1, 0, std::nullopt});
    } else if (!out.empty() && out.back().row == nullptr) {
      ++out.back().folded;
      if (out.back().thread != rows[k]->thread) out.back().thread.reset();
    } else {
      out.push_back({nullptr, 1, 1, rows[k]->thread});
    }
  }
  // A line that says that one is left out is no shorter than that one.
  std::size_t at = 0;
  for (Shown& s : out) {
    if (s.row == nullptr && s.folded == 1) s = {rows[at], 1, 0, std::nullopt};
    at += s.row == nullptr ? s.folded : 1;
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

std::vector<Shown> folded(const native::Trace& trace) {
  std::vector<const Row*> rows;
  std::map<const Row*, std::size_t> times;
  for (std::size_t k = 0; k < trace.end; ++k) {
    const Row& row = trace.rows[k];
    if (row.routine) continue;
    if (rows.empty() || !is_same(*rows.back(), row)) rows.push_back(&row);
    ++times[rows.back()];
  }
  std::vector<bool> kept(rows.size(), true);
  if (rows.size() > short_enough) {
    const std::vector<bool> near = near_marked(rows);
    for (std::size_t k = 0; k < rows.size(); ++k) kept[k] = !rows[k]->own || near[k];
  }
  if (count(kept) > short_enough) fold_stretches(rows, kept);
  if (count(kept) > trace_begin + trace_end) fold_middle(rows, kept);
  std::vector<Shown> out = keep(rows, kept);
  for (Shown& s : out)
    if (s.row != nullptr) s.times = times[s.row];
  return out;
}

std::vector<Shown> unfolded(const native::Trace& trace) {
  std::vector<Shown> out;
  for (const Row& row : trace.rows) out.push_back({&row, 1, 0, std::nullopt});
  return out;
}

}  // namespace heddle::report
