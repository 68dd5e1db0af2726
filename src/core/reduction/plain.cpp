#include "core/reduction/plain.hpp"

#include <algorithm>

#include "base/hash.hpp"

namespace heddle {

const Plain::Number* Plain::Memory::find(Number one, Number other) const {
  const auto found = table_.find(mix(one, other), [&](std::uint32_t k) {
    return all_[k].one == one && all_[k].other == other;
  });
  return found == IndexTable::none ? nullptr : &all_[found].result;
}

Plain::Number Plain::Memory::add(Number one, Number other, Number result) {
  table_.add(mix(one, other), static_cast<std::uint32_t>(all_.size()));
  all_.push_back({one, other, result});
  return result;
}

// --- edges

Plain::Set Plain::before(StretchId stretch, Set after) {
  if (stretch == Stretches::empty) return after;
  if (const Number* known = before_.find(stretch, after)) return *known;
  std::vector<Entry> made = prepared(stretch).own;
  for (std::size_t k = 0; k < entries(after).size(); ++k)
    made.push_back(carried(stretch, entries(after)[k]));
  making_ = std::move(made);
  return before_.add(stretch, after, intern_set());
}

Plain::Set Plain::joined(Set one, Set other) {
  if (one == other || other == none) return one;
  if (one == none) return other;
  if (const Number* known = joined_.find(one, other)) return *known;
  making_.assign(entries(one).begin(), entries(one).end());
  making_.insert(making_.end(), entries(other).begin(), entries(other).end());
  return joined_.add(one, other, intern_set());
}

Plain::Way Plain::way(StretchId stretch, Set after, Entry entry) {
  const auto serves = [&](Entry e) {
    return entries_[e].access == entries_[entry].access &&
           is_within(entries_[e].names, entries_[entry].names);
  };
  if (stretch != Stretches::empty && std::ranges::any_of(prepared(stretch).own, serves))
    return {true, {}};
  for (std::size_t k = 0; k < entries(after).size(); ++k) {
    const Entry e = entries(after)[k];
    if (entries_[e].access == entries_[entry].access && serves(carried(stretch, e)))
      return {false, e};
  }
  return {};
}

const Plain::Prepared& Plain::prepared(StretchId stretch) {
  if (stretch >= prepared_.size()) prepared_.resize(stretches_.size());
  if (prepared_[stretch]) return *prepared_[stretch];
  Prepared made;
  const auto acts = stretches_.acts(stretch);
  std::optional<Name> only;  // the thread of all accesses so far
  bool several = false;      // there are others
  for (std::size_t k = 0; k < acts.size(); ++k) {
    if (acts[k].kind != Act::Kind::access) {
      made.others.push_back(acts[k]);
      continue;
    }
    const PlainAccess& access = acts[k].what;
    made.granules.push_back(access.granule);
    names_.clear();
    insert(access.thread);
    several = several || only.value_or(access.thread) != access.thread;
    only = access.thread;
    // What is of one thread does not race.
    take_back(several ? acts.first(k) : std::span<const Act>(made.others), access, {});
    made.own.push_back(intern({number_of(access), intern_names()}));
  }
  std::ranges::sort(made.granules);
  return *(prepared_[stretch] = std::move(made));
}

Plain::Entry Plain::carried(StretchId stretch, Entry entry) {
  if (stretch == Stretches::empty) return entry;
  if (const Number* known = carried_.find(stretch, entry)) return *known;
  const Prepared& how = prepared(stretch);
  const Followed from = entries_[entry];
  const PlainAccess access = accesses_[from.access];
  names_.assign(names(from.names).begin(), names(from.names).end());
  const bool may_race = std::ranges::binary_search(how.granules, access.granule);
  take_back(may_race ? stretches_.acts(stretch) : how.others, access, entry);
  return carried_.add(stretch, entry, intern({from.access, intern_names()}));
}

void Plain::take_back(std::span<const Act> acts, const PlainAccess& access,
                      std::optional<Entry> second) {
  for (auto act = acts.rbegin(); act != acts.rend(); ++act) {
    if (act->kind != Act::Kind::access)
      take_back(*act);
    else if (act->what.conflicts_with(access) && !has(act->what.thread))
      races_.push_back({{act->what, access}, second});
  }
}

void Plain::take_back(const Act& act) {
  if (!has(act.to)) return;
  if (act.kind != Act::Kind::add) remove(act.to);
  if (act.kind != Act::Kind::forget) insert(act.from);
}

// --- numbers

void Plain::insert(Name name) {
  if (name / 64 >= names_.size()) names_.resize(name / 64 + 1);
  names_[name / 64] |= Word{1} << name % 64;
}

bool Plain::is_within(Number inner, Number outer) const {
  const auto all = names(inner), of = names(outer);
  for (std::size_t k = 0; k < all.size(); ++k)
    if ((all[k] & ~(k < of.size() ? of[k] : 0)) != 0) return false;
  return true;
}

Plain::Number Plain::number_of(const PlainAccess& access) {
  const std::uint64_t hash =
      mix(mix(access.granule, access.place), access.thread * 4U + (access.writes ? 1 : 0));
  const auto found =
      access_table_.find(hash, [&](std::uint32_t k) { return accesses_[k] == access; });
  if (found != IndexTable::none) return found;
  accesses_.push_back(access);
  access_table_.add(hash, static_cast<Number>(accesses_.size() - 1));
  return static_cast<Number>(accesses_.size() - 1);
}

Plain::Number Plain::intern_names() {
  while (!names_.empty() && names_.back() == 0) names_.pop_back();
  const std::uint64_t hash = hash_of<Word>(names_);
  const auto found =
      name_table_.find(hash, [&](std::uint32_t k) { return std::ranges::equal(names(k), names_); });
  if (found != IndexTable::none) return found;
  const auto begin = static_cast<std::uint32_t>(words_.size());
  words_.insert(words_.end(), names_.begin(), names_.end());
  name_sets_.push_back({begin, static_cast<std::uint32_t>(words_.size())});
  name_table_.add(hash, static_cast<Number>(name_sets_.size() - 1));
  return static_cast<Number>(name_sets_.size() - 1);
}

Plain::Entry Plain::intern(Followed entry) {
  const std::uint64_t hash = mix(entry.access, entry.names);
  const auto found = entry_table_.find(hash, [&](std::uint32_t k) { return entries_[k] == entry; });
  if (found != IndexTable::none) return found;
  entries_.push_back(entry);
  entry_table_.add(hash, static_cast<Entry>(entries_.size() - 1));
  return static_cast<Entry>(entries_.size() - 1);
}

void Plain::keep_smallest() {
  const auto by_access = [&](Entry a, Entry b) {
    return std::pair(entries_[a].access, a) < std::pair(entries_[b].access, b);
  };
  std::ranges::sort(making_, by_access);
  making_.erase(std::ranges::unique(making_).begin(), making_.end());
  std::size_t kept = 0;
  for (std::size_t begin = 0, end = 0; begin < making_.size(); begin = end) {
    const Number access = entries_[making_[begin]].access;
    while (end < making_.size() && entries_[making_[end]].access == access) ++end;
    if (end - begin == 1) {
      making_[kept++] = making_[begin];
      continue;
    }
    const std::vector<Entry> group(making_.begin() + std::ptrdiff_t(begin),
                                   making_.begin() + std::ptrdiff_t(end));
    for (const Entry e : group)
      if (std::ranges::none_of(group, [&](Entry f) {
            return f != e && is_within(entries_[f].names, entries_[e].names);
          }))
        making_[kept++] = e;
  }
  making_.resize(kept);
}

// Of what is in making_.
Plain::Set Plain::intern_set() {
  keep_smallest();
  const std::uint64_t hash = hash_of<Entry>(making_);
  const auto found = set_table_.find(
      hash, [&](std::uint32_t k) { return std::ranges::equal(entries(k), making_); });
  if (found != IndexTable::none) return found;
  if (making_.empty()) return none;
  const auto begin = static_cast<std::uint32_t>(members_.size());
  members_.insert(members_.end(), making_.begin(), making_.end());
  sets_.push_back({begin, static_cast<std::uint32_t>(members_.size())});
  set_table_.add(hash, static_cast<Set>(sets_.size() - 1));
  return static_cast<Set>(sets_.size() - 1);
}

}  // namespace heddle
