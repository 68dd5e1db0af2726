#include "findings/repeats.hpp"

#include <algorithm>
#include <vector>

#include "base/check.hpp"

namespace heddle::findings {
namespace {

using Rows = std::vector<const Row*>;

// A round of more steps is not recognised: loops of programs under test are short. One that occurs
// four times in a row is taken for a loop: two or three may be loops that end.
constexpr std::size_t longest_round = 100, rounds_compared = 4;

// Values may differ from round to round.
bool same(const Row& a, const Row& b) {
  return a.place.line == b.place.line && a.place.file == b.place.file && a.verb == b.verb;
}

// The last steps of the thread that ran last.
Rows last_rows(const Trace& trace) {
  Rows out;
  for (std::size_t k = std::min(trace.end, trace.rows.size()); k-- > 0;) {
    const Row& row = trace.rows[k];
    if (row.kind != Row::Kind::step) continue;
    if (!out.empty() && row.thread != out[0]->thread) continue;
    out.push_back(&row);
    if (out.size() == longest_round * rounds_compared) break;
  }
  std::ranges::reverse(out);
  return out;
}

bool repeats(const Rows& rows, std::size_t round) {
  for (std::size_t k = rows.size() - round * rounds_compared; k + round < rows.size(); ++k)
    if (!same(*rows[k], *rows[k + round])) return false;
  return true;
}

// A round that does no more than this, and keeps nothing, is one that waits.
bool only_looks(const Row& row) {
  return row.verb == Verb::read || row.verb == Verb::lock || row.verb == Verb::read_lock ||
         row.verb == Verb::write_lock || row.verb == Verb::unlock ||
         row.verb == Verb::read_unlock || row.verb == Verb::write_unlock ||
         row.verb == Verb::time_out;
}

}  // namespace

std::optional<Repetition> what_repeats(const Trace& trace) {
  const Rows rows = last_rows(trace);
  for (std::size_t round = 1; round <= rows.size() / rounds_compared; ++round) {
    if (!repeats(rows, round)) continue;
    HEDDLE_CHECK(round != 0 && round <= rows.size());
    const Rows last(rows.end() - static_cast<std::ptrdiff_t>(round), rows.end());
    const auto line = [](const Row* r) { return r->place.line; };
    const auto effect = std::ranges::find_if_not(last, [](const Row* r) { return only_looks(*r); });
    return Repetition{*std::ranges::min_element(last, {}, line),
                      effect == last.end() ? nullptr : *effect};
  }
  return std::nullopt;
}

}  // namespace heddle::findings
