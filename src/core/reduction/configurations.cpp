#include "core/reduction/configurations.hpp"

#include <algorithm>

#include "base/hash.hpp"

namespace heddle {
namespace {

constexpr ConfigurationNumber none = ~ConfigurationNumber{0};

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
  const auto known = step_table_.find(h, [&](std::uint32_t k) { return steps_[k] == step; });
  if (known != IndexTable::none) return known;
  const auto number = static_cast<StepNumber>(steps_.size());
  step_table_.add(h, number);
  steps_.push_back(step);
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
  signatures_.push_back(signatures_of(step));
  alone_.push_back(none);
  uses_.emplace_back();
  for (const Access& a : accesses) uses_.back().push_back(number_of(a));
  return number;
}

Configurations::Number Configurations::number_of(const Access& access) {
  Access a = access;
  a.mode = conflict_class(a.mode);
  const std::uint64_t h = hash_of(std::span<const Access>(&a, 1));
  const auto known = access_table_.find(h, [&](std::uint32_t k) { return accesses_[k] == a; });
  if (known != IndexTable::none) return known;
  const auto number = static_cast<Number>(accesses_.size());
  access_table_.add(h, number);
  accesses_.push_back(a);
  return number;
}

ConfigurationNumber Configurations::alone(StepNumber step) {
  if (alone_[step] != none) return alone_[step];
  Configuration made;
  made.signature = signatures_[step].second;
  made.last = step;
  made.others = others_.intern({});
  made.firsts = firsts_.intern(std::span(&step, 1));
  return alone_[step] = intern(made);
}

// Time-outs and waits of a cube are left to a further look.
Configurations::Signatures Configurations::signatures_of(const Step& step) const {
  constexpr std::size_t half = 32;  // of the bits for threads, half for objects
  const auto thread = [](std::size_t t) { return Signature{thread_bit(t)}; };
  Signatures out = {thread(step.move.thread), thread(step.move.thread)};
  for (const Access& a : footprints_.accesses(step.footprint)) {
    const Signature object = Signature{1} << (half + a.location % half);
    out.first |= object;
    out.second |= object;
  }
  footprints_.for_threads(step.footprint, Mode::create,
                          [&](std::size_t t) { out.first |= thread(t); });
  footprints_.for_threads(step.footprint, Mode::joined,
                          [&](std::size_t t) { out.second |= thread(t); });
  if (footprints_.times_out(step.footprint) || !waits_.empty()) out.first = ~Signature{0};
  return out;
}

ConfigurationNumber Configurations::intern(const Configuration& c) {
  const std::uint64_t h = mix(std::uint64_t{c.others} << 32 | c.firsts,
                              std::uint64_t{c.last} << 32 | static_cast<std::uint32_t>(c.effect));
  const auto known = table_.find(h, [&](std::uint32_t k) { return all_[k] == c; });
  if (known != IndexTable::none) return known;
  const auto number = static_cast<ConfigurationNumber>(all_.size());
  table_.add(h, number);
  all_.push_back(c);
  return number;
}

// --- memory

std::size_t Configurations::memory() const {
  return all_.memory() + table_.memory() + others_.memory() + firsts_.memory() + carried_.memory() +
         pairs_.memory() + to_others_.memory() + with_firsts_.memory();
}

void Configurations::keep(std::vector<ConfigurationNumber>& marks) {
  Chunked<Configuration> all;
  NumberSets others, firsts;
  std::swap(all, all_);
  std::swap(others, others_);
  std::swap(firsts, firsts_);
  table_.clear();
  carried_.clear();
  to_others_.clear();
  with_firsts_.clear();
  for (ConfigurationNumber k = 0; k < marks.size(); ++k) {
    if (marks[k] == unmarked) continue;
    Configuration c = all[k];
    c.others = others_.intern(others[c.others]);
    c.firsts = firsts_.intern(firsts[c.firsts]);
    marks[k] = intern(c);
  }
  alone_.assign(alone_.size(), none);
}

// --- edges

Carried Configurations::find_carried(StepNumber e, ConfigurationNumber number) {
  const Configuration c = all_[number];
  const Pair to_last = pair(e, c.last);
  Carried out;
  const auto add = [&](ConfigurationNumber to) { out.to[out.count++] = to; };
  if (to_last.timed_out) return out;
  const bool own = to_last.own, between = to_others(e, c.others).before;
  const bool meets = own || to_last.related;
  if (meets && !own && !between) out.race = to_last.race;  // l.7
  if (!meets && !between) {                                // l.8
    add(number);
  } else if (!to_last.hides) {
    const bool only_waits = to_last.waits && !own && !between;
    if (only_waits) add(number);
    if (!only_waits || to_last.may_be_needed) add(lengthened(e, c, to_last.effect));
  }
  return out;
}

Configurations::Pair Configurations::pair(StepNumber number, StepNumber last_number) {
  if (const Pair* known = pairs_.find(number, last_number)) return *known;
  const Step &e = steps_[number], &last = steps_[last_number];
  const Access* wanted = footprints_.blocking(last.footprint);
  Pair found;
  found.timed_out = footprints_.times_out(e.footprint);
  found.own = leads_to(e, last);
  found.related = relation(e, last) != Relation::none;
  found.hides = hides(e, last);
  found.waits = wanted != nullptr;
  found.may_be_needed = found.waits && may_be_needed(e, *wanted);
  found.race = race(e, last);
  found.effect = effect(e, last);
  return pairs_.add(number, last_number, found);
}

Configurations::ToOthers& Configurations::to_others(StepNumber e, Number others) {
  if (ToOthers* known = to_others_.find(e, others)) return *known;
  return to_others_.add(e, others, {before_others(steps_[e], others_[others]), none});
}

ConfigurationNumber Configurations::lengthened(StepNumber number, const Configuration& c,
                                               std::int32_t effect) {
  Configuration longer = c;
  longer.signature |= signatures_[number].second;
  longer.effect += effect;
  longer.others = with_others(number, c.others);
  longer.firsts = with_firsts(number, c.firsts);
  return intern(longer);
}

Configurations::Number Configurations::with_others(StepNumber number, Number others) {
  ToOthers& known = to_others(number, others);
  if (known.with != none) return known.with;
  const Step& e = steps_[number];
  const auto from = others_[others];
  making_.assign(from.begin(), from.end());
  for (const Number a : uses_[number]) make_with_access(a);
  make_with(named(Kind::thread, e.move.thread));
  for (Number w = 0; w < waits_.size(); ++w)
    if (waits_[w].second == StepName{e.move.thread, e.index}) make_with(named(Kind::awaited, w));
  return known.with = others_.intern(making_);
}

Configurations::Number Configurations::with_firsts(StepNumber number, Number firsts) {
  if (const Number* known = with_firsts_.find(number, firsts)) return *known;
  making_.clear();
  for (const StepNumber first : firsts_[firsts])
    if (!before(steps_[number], steps_[first])) making_.push_back(first);
  make_with(number);
  return with_firsts_.add(number, firsts, firsts_.intern(making_));
}

void Configurations::make_with(Number value) {
  const auto at = std::ranges::lower_bound(making_, value);
  if (at == making_.end() || *at != value) making_.insert(at, value);
}

// Whatever conflicts with an access of memory conflicts with an update of it: that is enough.
void Configurations::make_with_access(Number number) {
  const Access& a = accesses_[number];
  const auto same_memory = [&](Number other) {
    return kind_of(other) == Kind::access && accesses_[other].location == a.location &&
           class_of(accesses_[other].mode) == ObjectClass::memory;
  };
  if (a.mode == Mode::update)
    std::erase_if(making_, same_memory);
  else if (std::ranges::any_of(making_, [&](Number other) {
             return same_memory(other) && accesses_[other].mode == Mode::update;
           }))
    return;
  make_with(named(Kind::access, number));
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

bool Configurations::before_others(const Step& e, std::span<const Number> others) const {
  const auto mine = footprints_.accesses(e.footprint);
  const auto is_before = [&](const Access& other) {
    if (other.mode == Mode::joined) return leads_to_thread(e, static_cast<std::size_t>(other.a));
    return std::ranges::any_of(mine, [&](const Access& a) {
      return footprints_.dependence().relation(a, other) != Relation::none;
    });
  };
  return std::ranges::any_of(others, [&](Number named) {
    const Number n = plain(named);
    switch (kind_of(named)) {
      case Kind::access:
        return is_before(accesses_[n]);
      case Kind::thread:
        return leads_to_thread(e, n);
      default:
        return waits_[n].first == StepName{e.move.thread, e.index};
    }
  });
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

Carried::Race Configurations::race(const Step& e, const Step& last) const {
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
