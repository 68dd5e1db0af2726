#include "native/brought.hpp"

#include <algorithm>

namespace heddle::native {

bool same(const Outcome& a, const Outcome& b) {
  return a.finding == b.finding && a.site == b.site && a.text == b.text;
}

Seen* Brought::find(const Outcome& outcome) {
  const bool is_endless = outcome.finding == abi::Finding::endless;
  const auto found = std::ranges::find_if(seen, [&](const Seen& s) {
    return is_endless ? s.outcome.finding == outcome.finding : same(s.outcome, outcome);
  });
  return found == seen.end() ? nullptr : &*found;
}

Brought& Brought::operator+=(const Brought& other) {
  counts += other.counts;
  for (const Seen& s : other.seen)
    if (Seen* const known = find(s.outcome))
      known->runs += s.runs;
    else
      seen.push_back(s);
  for (const auto& [outcome, runs] : other.outcomes) outcomes[outcome] += runs;
  notes += other.notes;
  std::vector<std::string> all;
  std::ranges::set_union(unseen, other.unseen, std::back_inserter(all));
  unseen = std::move(all);
  endless += other.endless;
  if (!nondeterminism) nondeterminism = other.nondeterminism;
  return *this;
}

}  // namespace heddle::native
