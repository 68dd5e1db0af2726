#include "core/reduction/configurations.hpp"

#include <algorithm>
#include <tuple>

#include "base/hash.hpp"

namespace heddle {
namespace {

template <typename T, typename Less = std::less<>>
void insert_sorted(std::vector<T>& into, const T& value, Less less = {}) {
  const auto at = std::ranges::lower_bound(into, value, less);
  if (at == into.end() || less(value, *at)) into.insert(at, value);
}

bool access_less(const Access& x, const Access& y) {
  return std::tie(x.location, x.mode, x.a, x.b) < std::tie(y.location, y.mode, y.a, y.b);
}

// Modes of memory that are in conflict with the same modes are one: all but reads, adds and
// allocations among themselves are.
Mode conflict_class(Mode mode) {
  if (class_of(mode) != ObjectClass::memory || mode == Mode::read || mode == Mode::add ||
      mode == Mode::alloc)
    return mode;
  return Mode::update;
}

}  // namespace

StepNumber Configurations::step(const Step& step) {
  const std::uint64_t h = mix(mix(step.footprint, step.index),
                              std::uint64_t{step.move.thread} << 32 |
                                  std::uint64_t{step.move.alternative} << 16 | step.alternatives);
  const auto [from, to] = steps_by_hash_.equal_range(h);
  for (auto it = from; it != to; ++it)
    if (steps_[it->second] == step) return it->second;
  const auto number = static_cast<StepNumber>(steps_.size());
  steps_.push_back(step);
  steps_by_hash_.emplace(h, number);
  const auto accesses = footprints_.accesses(step.footprint);
  can_race_.push_back(std::ranges::any_of(accesses, [&](const Access& a) {
    for (std::size_t m = 0; m < mode_count; ++m) {
      const auto mode = static_cast<Mode>(m);
      const Relation r = footprints_.dependence().by_mode(mode, a.mode);
      if (class_of(mode) == class_of(a.mode) && r != Relation::none && r != Relation::enables)
        return true;
    }
    return false;
  }));
  return number;
}

ConfigurationNumber Configurations::alone(StepNumber step) {
  Configuration c;
  c.last = step;
  c.firsts = {step};
  return intern(std::move(c));
}

std::uint64_t Configurations::hash(const Configuration& c) {
  std::uint64_t h = mix(c.last, static_cast<std::uint64_t>(c.effect));
  h = mix(h, hash_of<Access>(c.accesses));
  h = mix(h, hash_of<ThreadId>(c.threads));
  for (const StepName& s : c.awaited) h = mix(h, std::uint64_t{s.thread} << 32 | s.index);
  return mix(h, hash_of<StepNumber>(c.firsts));
}

ConfigurationNumber Configurations::intern(Configuration c) {
  const std::uint64_t h = hash(c);
  const auto [from, to] = by_hash_.equal_range(h);
  for (auto it = from; it != to; ++it)
    if (all_[it->second] == c) return it->second;
  const auto number = static_cast<ConfigurationNumber>(all_.size());
  all_.push_back(std::move(c));
  by_hash_.emplace(h, number);
  return number;
}

Configurations::Carried Configurations::carry(StepNumber e, ConfigurationNumber c) {
  const std::uint64_t key = std::uint64_t{e} << 32 | c;
  const auto known = carried_.find(key);
  if (known != carried_.end()) return known->second;
  const Carried found = find_carried(e, c);
  carried_.emplace(key, found);
  return found;
}

Configurations::Carried Configurations::find_carried(StepNumber number, ConfigurationNumber c) {
  const Step e = steps_[number], last = steps_[all_[c].last];
  Carried out;
  const auto add = [&](ConfigurationNumber to) { out.to[out.count++] = to; };
  if (footprints_.times_out(e.footprint))
    return out;  // in no race, and all that follows is after it
  const bool own = leads_to(e, last), between = before_others(e, all_[c]);
  const Relation r = own ? Relation::enables : relation(e, last);
  if (!own && !between && r != Relation::none) out.race = race(e, last);  // l.7
  if (r == Relation::none && !between) {                                  // l.8
    add(c);
  } else if (!hides(e, last)) {
    const Access* wanted = footprints_.blocking(last.footprint);
    const bool only_waits = wanted != nullptr && !own && !between;
    if (only_waits) add(c);
    if (!only_waits || may_be_needed(e, *wanted)) add(lengthened(number, c));
  }
  return out;
}

ConfigurationNumber Configurations::lengthened(StepNumber number, ConfigurationNumber c) {
  const Step& e = steps_[number];
  Configuration longer = all_[c];
  add_accesses(e, longer);
  insert_sorted(longer.threads, e.move.thread);
  for (const Wait& w : waits_)
    if (w.second == StepName{e.move.thread, e.index}) insert_sorted(longer.awaited, w.first);
  longer.effect += effect(e, steps_[longer.last]);
  std::erase_if(longer.firsts, [&](StepNumber first) { return before(e, steps_[first]); });
  insert_sorted(longer.firsts, number);
  return intern(std::move(longer));
}

void Configurations::add_accesses(const Step& e, Configuration& to) const {
  for (Access a : footprints_.accesses(e.footprint)) {
    a.mode = conflict_class(a.mode);
    insert_sorted(to.accesses, a, access_less);
  }
}

std::int32_t Configurations::effect(const Step& e, const Step& last) const {
  const Access* wanted = footprints_.blocking(last.footprint);
  if (wanted == nullptr) return 0;
  Holders held;
  for (const Access& a : footprints_.accesses(e.footprint))
    if (a.location == wanted->location) held.apply(a);
  if (wanted->mode == Mode::sem_wait) return static_cast<std::int32_t>(held.tokens);
  return wanted->mode == Mode::write_lock ? static_cast<std::int32_t>(held.readers) : 0;
}

bool Configurations::enabled(ConfigurationNumber c, Holders held) const {
  const Access& access = wanted(c);
  const std::int32_t effect = all_[c].effect;
  if (access.mode == Mode::sem_wait) held.tokens += static_cast<long>(access.a) + effect;
  if (access.mode == Mode::write_lock) held.readers += effect;
  return held.let(access.mode);
}

// As Order::leads_to.
bool Configurations::leads_to_thread(const Step& e, std::size_t thread) const {
  bool yes = e.move.thread == thread;
  footprints_.for_threads(e.footprint, Mode::create,
                          [&](std::size_t created) { yes = yes || created == thread; });
  return yes;
}

bool Configurations::leads_to(const Step& e, const Step& later) const {
  bool yes = leads_to_thread(e, later.move.thread);
  footprints_.for_threads(later.footprint, Mode::joined,
                          [&](std::size_t thread) { yes = yes || leads_to_thread(e, thread); });
  return yes || std::ranges::any_of(waits_, [&](const Wait& w) {
           return w.first == StepName{e.move.thread, e.index} &&
                  w.second == StepName{later.move.thread, later.index};
         });
}

bool Configurations::before_others(const Step& e, const Configuration& c) const {
  const auto mine = footprints_.accesses(e.footprint);
  return std::ranges::any_of(c.threads, [&](ThreadId t) { return leads_to_thread(e, t); }) ||
         std::ranges::any_of(c.accesses,
                             [&](const Access& other) {
                               if (other.mode == Mode::joined)
                                 return leads_to_thread(e, static_cast<std::size_t>(other.a));
                               return std::ranges::any_of(mine, [&](const Access& a) {
                                 return footprints_.dependence().relation(a, other) !=
                                        Relation::none;
                               });
                             }) ||
         std::ranges::binary_search(c.awaited, StepName{e.move.thread, e.index});
}

// If there are several, one that can be a race.
Relation Configurations::relation(const Step& e, const Step& later) const {
  Relation found = Relation::none;
  for (const Access& a : footprints_.accesses(e.footprint))
    for (const Access& b : footprints_.accesses(later.footprint)) {
      const Relation r = footprints_.dependence().relation(a, b);
      if (r != Relation::none && (found == Relation::none || found == Relation::enables)) found = r;
    }
  return found;
}

// Whatever has to be compared with the last from before e, can be compared with e instead.
bool Configurations::hides(const Step& e, const Step& last) const {
  const Dependence& table = footprints_.dependence();
  const auto conflicts_as = [&](Mode mine, Mode other) {
    for (std::size_t k = 0; k < mode_count; ++k)
      if (table.by_mode(static_cast<Mode>(k), other) != Relation::none &&
          table.by_mode(static_cast<Mode>(k), mine) == Relation::none)
        return false;
    return table.stands_for(mine, other, false);
  };
  const auto mine = footprints_.accesses(e.footprint);
  return std::ranges::all_of(footprints_.accesses(last.footprint), [&](const Access& b) {
    return std::ranges::any_of(mine, [&](const Access& a) {
      return a.location == b.location && conflicts_as(a.mode, b.mode);
    });
  });
}

Configurations::Carried::Race Configurations::race(const Step& e, const Step& last) const {
  using Race = Carried::Race;
  const Relation r = relation(e, last);
  const Access* wanted = footprints_.blocking(last.footprint);
  if (r == Relation::none || r == Relation::enables) return Race::no;
  if (wanted == nullptr || wanted->mode == Mode::lock ||
      class_of(wanted->mode) == ObjectClass::condition)
    return Race::yes;
  return Race::if_enabled;
}

bool Configurations::may_be_needed(const Step& e, const Access& wanted) const {
  return std::ranges::any_of(footprints_.accesses(e.footprint), [&](const Access& a) {
    return a.location == wanted.location &&
           ((a.mode == Mode::sem_post && wanted.mode == Mode::sem_wait) ||
            (a.mode == Mode::read_unlock && wanted.mode == Mode::write_lock));
  });
}

}  // namespace heddle
