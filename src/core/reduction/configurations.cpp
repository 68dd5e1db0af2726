#include "core/reduction/configurations.hpp"

#include <algorithm>
#include <bit>

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

std::size_t Configurations::memory() const {
  return all_.capacity() * sizeof all_[0] + numbers_.capacity() * sizeof numbers_[0] +
         table_.memory() + carried_.memory();
}

ConfigurationNumber Configurations::alone(StepNumber step) {
  if (alone_[step] != none) return alone_[step];
  draft_.signature = signatures_[step].second;
  draft_.last = step;
  draft_.effect = 0;
  draft_.numbers = {step};
  draft_.ends = {0, 0, 0, 1};  // it is the first event
  return alone_[step] = intern_draft();
}

// Time-outs and waits of a cube are left to a further look.
Configurations::Signatures Configurations::signatures_of(const Step& step) const {
  constexpr std::size_t half = 32;  // of the bits for threads, half for objects
  const auto thread = [](std::size_t t) { return Signature{1} << t % half; };
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

bool Configurations::is_draft(const Configuration& c) const {
  return c.last == draft_.last && c.effect == draft_.effect && c.ends == draft_.ends &&
         std::equal(draft_.numbers.begin(), draft_.numbers.end(), numbers_.begin() + c.begin);
}

ConfigurationNumber Configurations::intern_draft() {
  std::uint64_t h = mix(draft_.last, static_cast<std::uint64_t>(draft_.effect));
  h = mix(h, std::bit_cast<std::uint64_t>(draft_.ends));
  h = hash_of<Number>(draft_.numbers, h);
  const auto known = table_.find(h, [&](std::uint32_t k) { return is_draft(all_[k]); });
  if (known != IndexTable::none) return known;
  const auto number = static_cast<ConfigurationNumber>(all_.size());
  table_.add(h, number);
  Configuration& c = all_.emplace_back();
  c.signature = draft_.signature;
  c.last = draft_.last;
  c.effect = draft_.effect;
  c.begin = static_cast<std::uint32_t>(numbers_.size());
  c.ends = draft_.ends;
  numbers_.insert(numbers_.end(), draft_.numbers.begin(), draft_.numbers.end());
  return number;
}

Carried Configurations::carry_over_conflict(StepNumber e, ConfigurationNumber c) {
  if (const Carried* known = carried_.find(e, c)) return *known;
  const Carried found = find_carried(e, c);
  carried_.add(e, c, found);
  return found;
}

Carried Configurations::find_carried(StepNumber number, ConfigurationNumber c) {
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
  const Configuration& shorter = all_[c];
  draft_.signature = shorter.signature | signatures_[number].second;
  draft_.last = shorter.last;
  draft_.effect = shorter.effect + effect(e, steps_[shorter.last]);
  draft_.numbers.clear();
  draft_.begin(part(shorter, Part::accesses));
  for (const Number a : uses_[number]) draft_.insert(a);
  draft_.end(Part::accesses);
  draft_.begin(part(shorter, Part::threads));
  draft_.insert(e.move.thread);
  draft_.end(Part::threads);
  draft_.begin(part(shorter, Part::awaited));
  for (Number w = 0; w < waits_.size(); ++w)
    if (waits_[w].second == StepName{e.move.thread, e.index}) draft_.insert(w);
  draft_.end(Part::awaited);
  draft_.begin({});
  for (const StepNumber first : part(shorter, Part::firsts))
    if (!before(e, steps_[first])) draft_.numbers.push_back(first);
  draft_.insert(number);
  draft_.end(Part::firsts);
  return intern_draft();
}

// Into the part that was begun last.
void Configurations::Draft::insert(Number value) {
  const auto from = numbers.begin() + static_cast<std::ptrdiff_t>(part_begin);
  const auto at = std::lower_bound(from, numbers.end(), value);
  if (at == numbers.end() || *at != value) numbers.insert(at, value);
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
  const auto is_before = [&](Number number) {
    const Access& other = accesses_[number];
    if (other.mode == Mode::joined) return leads_to_thread(e, static_cast<std::size_t>(other.a));
    return std::ranges::any_of(mine, [&](const Access& a) {
      return footprints_.dependence().relation(a, other) != Relation::none;
    });
  };
  return std::ranges::any_of(part(c, Part::threads),
                             [&](Number t) { return leads_to_thread(e, t); }) ||
         std::ranges::any_of(part(c, Part::accesses), is_before) ||
         std::ranges::any_of(part(c, Part::awaited), [&](Number w) {
           return waits_[w].first == StepName{e.move.thread, e.index};
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
