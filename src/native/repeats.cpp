#include "native/repeats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <vector>

namespace heddle::native {
namespace {

using Rows = std::vector<const Row*>;

constexpr std::size_t longest_round = 100, rounds_compared = 4;

std::string_view verb(const Row& row) {
  return std::string_view(row.what).substr(0, row.what.find(' '));
}

// Values may differ from round to round.
bool same(const Row& a, const Row& b) {
  return a.place.line == b.place.line && a.place.file == b.place.file && verb(a) == verb(b);
}

// Of one thread, at the end.
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
  const std::string_view v = verb(row);
  return v == "read" || v == "lock" || v == "unlock" || v == "time";
}

std::string place_of(const Row& row) {
  return fmt::format("{}:{}", std::filesystem::path(row.place.file).filename().string(),
                     row.place.line);
}

}  // namespace

std::string what_repeats(const Trace& trace) {
  const Rows rows = last_rows(trace);
  for (std::size_t round = 1; round <= rows.size() / rounds_compared; ++round) {
    if (!repeats(rows, round)) continue;
    const Rows last(rows.end() - static_cast<std::ptrdiff_t>(round), rows.end());
    std::string out = fmt::format(
        "thread {} goes round at {}, and ", last[0]->thread,
        place_of(**std::ranges::min_element(last, {}, [](const Row* r) { return r->place.line; })));
    const auto does = std::ranges::find_if_not(last, [](const Row* r) { return only_looks(*r); });
    if (does == last.end())
      return out + "each round only looks, but keeps something that changes, such as a count";
    return out + fmt::format("each round does something: {} ({})", (*does)->what, place_of(**does));
  }
  return "";
}

}  // namespace heddle::native
