#include "core/reduction/plain.hpp"

#include <algorithm>

#include "base/hash.hpp"

namespace heddle {

const Plain::Number* Plain::Results::find(Number one, Number other) const {
  const auto found = table_.find(mix(one, other), [&](std::uint32_t k) {
    return all_[k].one == one && all_[k].other == other;
  });
  return found == IndexTable::none ? nullptr : &all_[found].result;
}

Plain::Number Plain::Results::add(Number one, Number other, Number result) {
  table_.add(mix(one, other), static_cast<std::uint32_t>(all_.size()));
  all_.push_back({one, other, result});
  return result;
}

// --- edges

Plain::Set Plain::before(StretchId stretch, Set after) {
  if (stretch == Stretches::empty) return after;
  const Number form = prepared(stretch).form;
  if (const Number* known = before_.find(form, after)) return *known;
  std::vector<Entry> made = prepared(stretch).own;
  for (std::size_t k = 0; k < entries(after).size(); ++k)
    made.push_back(carried(stretch, entries(after)[k]));
  making_ = std::move(made);
  return before_.add(form, after, intern_set());
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
  if (stretch != Stretches::empty && std::ranges::any_of(prepared(stretch).all, serves))
    return {true, {}};
  for (std::size_t k = 0; k < entries(after).size(); ++k) {
    const Entry e = entries(after)[k];
    if (entries_[e].access == entries_[entry].access && serves(carried(stretch, e)))
      return {false, e};
  }
  return {};
}

// --- stretches

const Plain::Prepared& Plain::prepared(StretchId stretch) {
  if (stretch >= prepared_.size()) prepared_.resize(stretches_.size());
  if (!prepared_[stretch]) prepared_[stretch] = prepare(stretch);
  return *prepared_[stretch];
}

Plain::Prepared Plain::prepare(StretchId stretch) {
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
    made.memory.push_back({access.granule, access.end()});
    names_.clear();
    insert(access.thread);
    several = several || only.value_or(access.thread) != access.thread;
    only = access.thread;
    // What is of one thread does not race.
    take_back(several ? acts.first(k) : std::span<const Act>(made.others), access, {});
    made.all.push_back(intern({number_of(access), intern_names()}));
  }
  std::ranges::sort(made.memory, {}, &Memory::begin);
  std::size_t kept = 0;
  for (const Memory& m : made.memory)
    if (kept != 0 && m.begin <= made.memory[kept - 1].end)
      made.memory[kept - 1].end = std::max(made.memory[kept - 1].end, m.end);
    else
      made.memory[kept++] = m;
  made.memory.resize(kept);
  choose_own(made);
  made.form = ++forms_;
  return made;
}

bool Plain::Prepared::uses(const PlainAccess& access) const {
  const auto after = std::ranges::lower_bound(memory, access.end(), {}, &Memory::begin);
  return after != memory.begin() && std::prev(after)->end > access.granule;
}

void Plain::choose_own(Prepared& of) {
  of.own.clear();
  for (const Entry e : of.all)
    if (all_matter_ || matters_[entries_[e].access]) of.own.push_back(e);
}

bool Plain::take_growth() {
  if (!std::exchange(more_matter_, false)) return false;
  for (std::optional<Prepared>& p : prepared_) {
    if (!p) continue;
    const std::size_t before = p->own.size();
    choose_own(*p);
    p->grew = p->own.size() != before;
    if (p->grew) p->form = ++forms_;
  }
  return true;
}

void Plain::let_all_matter() { more_matter_ = !std::exchange(all_matter_, true) || more_matter_; }

// Ranges of more granules than this are few.
constexpr std::uint32_t narrow = 64;

void Plain::look_for_conflicts(Number access) {
  const PlainAccess& a = accesses_[access];
  const auto begin = by_granule_.lower_bound(a.granule < narrow ? 0 : a.granule - narrow);
  for (auto at = begin; at != by_granule_.end() && at->first < a.end(); ++at)
    compare(access, at->second);
  for (const Number other : wide_) compare(access, other);
  if (a.granules > narrow)
    wide_.push_back(access);
  else
    by_granule_.emplace(a.granule, access);
}

void Plain::compare(Number one, Number other) {
  if (!accesses_[one].conflicts_with(accesses_[other])) return;
  more_matter_ = more_matter_ || !matters_[other];
  matters_[one] = matters_[other] = true;
}

Plain::Entry Plain::carried(StretchId stretch, Entry entry) {
  if (stretch == Stretches::empty) return entry;
  if (const Number* known = carried_.find(stretch, entry)) return *known;
  const Prepared& how = prepared(stretch);
  const Followed from = entries_[entry];
  const PlainAccess access = accesses_[from.access];
  names_.assign(names(from.names).begin(), names(from.names).end());
  take_back(how.uses(access) ? stretches_.acts(stretch) : how.others, access, entry);
  return carried_.add(stretch, entry, intern({from.access, intern_names()}));
}

void Plain::take_back(std::span<const Act> acts, const PlainAccess& access,
                      std::optional<Entry> second) {
  for (auto act = acts.rbegin(); act != acts.rend(); ++act) {
    if (act->kind != Act::Kind::access)
      take_back(*act);
    else if (act->what.races_with_later(access) && !has(act->what.thread))
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
      mix(mix(access.granule, access.place),
          std::uint64_t{access.granules} << 32 | access.thread * 4U | (access.writes ? 1U : 0U));
  const auto found =
      access_table_.find(hash, [&](std::uint32_t k) { return accesses_[k] == access; });
  if (found != IndexTable::none) return found;
  const auto number = static_cast<Number>(accesses_.size());
  accesses_.push_back(access);
  matters_.push_back(false);
  access_table_.add(hash, number);
  look_for_conflicts(number);
  return number;
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
