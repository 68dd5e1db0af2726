#include "core/order.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "base/hash.hpp"
#include "model/messages.hpp"

namespace heddle {

Order::Order(const Footprints& footprints, std::span<const Event> events, Observers observers,
             std::span<const Wait> waits, std::vector<std::size_t> taken)
    : footprints_(&footprints),
      observers_(observers),
      waits_(waits.begin(), waits.end()),
      taken_(std::move(taken)) {
  if (observers == Observers::no) {
    for (const Event& e : events) push(e);
    return;
  }
  events_.assign(events.begin(), events.end());
  readers_.resize(events.size());
  for (std::size_t j = 0; j < events_.size(); ++j) link(j);
  for (std::size_t j = 0; j < events_.size(); ++j) order(j);
}

void Order::push(const Event& event) {
  HEDDLE_CHECK(observers_ == Observers::no);
  events_.push_back(event);
  order(events_.size() - 1);
}

void Order::pop() {
  events_.pop_back();
  index_.pop_back();
  past_.pop_back();
  direct_.pop_back();
}

// What comes before j, latest first: whatever is before something found already is not adjacent.
void Order::order(std::size_t j) {
  index_.push_back(pending(events_[j], j).index);
  std::vector<bool> past(j);
  std::vector<std::size_t> direct;
  for (std::size_t i = j; i-- > 0;) {
    if (past[i] || edge(i, j) == Relation::none) continue;
    direct.push_back(i);
    past[i] = true;
    for (std::size_t k = 0; k < i; ++k)
      if (past_[i][k]) past[k] = true;
  }
  past_.push_back(std::move(past));
  direct_.push_back(std::move(direct));
}

// Finds the writes that event j reads, and the message that it takes.
void Order::link(std::size_t j) {
  for (const Access& a : footprints_->accesses(events_[j].footprint)) {
    const bool takes = a.mode == Mode::receive || a.mode == Mode::try_receive;
    if (!takes && !observes_memory(a.mode)) continue;
    for (std::size_t i = j; i-- > 0;) {
      const auto earlier = footprints_->accesses(events_[i].footprint);
      const auto source = std::ranges::find_if(earlier, [&](const Access& b) {
        return b.location == a.location &&
               (takes ? b.mode == Mode::send && b.a == a.a : b.mode != Mode::read);
      });
      if (source == earlier.end()) continue;
      readers_[i].push_back(j);
      break;
    }
  }
}

Order::Step Order::pending(const Event& event, std::size_t at) const {
  const ThreadId thread = event.move.thread;
  const std::size_t before = thread < taken_.size() ? taken_[thread] : 0;
  return {event, before + static_cast<std::size_t>(std::count_if(
                              events_.begin(), events_.begin() + static_cast<std::ptrdiff_t>(at),
                              [&](const Event& e) { return e.move.thread == thread; }))};
}

// The later one could not come first, whatever they do: i is of its thread, or of one that it has
// joined, or created one of these, or the later one waits for it.
bool Order::leads_to(std::size_t i, const Step& step) const {
  const Event& later = step.event;
  for (const Wait& w : waits_)
    if (w.second == StepName{later.move.thread, static_cast<std::uint32_t>(step.index)} &&
        w.first == StepName{events_[i].move.thread, static_cast<std::uint32_t>(index_[i])})
      return true;
  const Event& e = events_[i];
  const auto belongs = [&](std::size_t thread) {
    bool yes = e.move.thread == thread;
    footprints_->for_threads(e.footprint, Mode::create,
                             [&](std::size_t created) { yes = yes || created == thread; });
    return yes;
  };
  bool leads = belongs(later.move.thread);
  footprints_->for_threads(later.footprint, Mode::joined,
                           [&](std::size_t thread) { leads = leads || belongs(thread); });
  return leads;
}

Relation Order::edge(std::size_t i, std::size_t j) const {
  const Event &x = events_[i], &y = events_[j];
  if (leads_to(i, step(j))) return Relation::enables;
  if (footprints_->times_out(x.footprint) || footprints_->times_out(y.footprint))
    return Relation::enables;
  Relation strongest = Relation::none;
  for (const Access& a : footprints_->accesses(x.footprint))
    for (const Access& b : footprints_->accesses(y.footprint)) {
      Relation r = footprints_->dependence().relation(a, b);
      if (r == Relation::observed && observers_ == Observers::no) r = Relation::race;
      if (r != Relation::observed) {
        if (r != Relation::none) strongest = r;
        continue;
      }
      const bool seen =
          a.mode == Mode::send ? receive_sees(i, j) : !readers_[i].empty() || !readers_[j].empty();
      if (seen && strongest == Relation::none) strongest = Relation::observed;
    }
  return strongest;
}

// Of two sends, the one that a receive takes first.
std::size_t Order::taken_first(std::size_t i, std::size_t j) const {
  if (readers_[i].empty() || readers_[j].empty()) return readers_[i].empty() ? j : i;
  return readers_[i].front() < readers_[j].front() ? i : j;
}

// The first receive that takes either of two sends would have taken the other, had it come first;
// or may have refused it.
bool Order::receive_sees(std::size_t i, std::size_t j) const {
  const std::size_t taken = taken_first(i, j), other = taken == i ? j : i;
  if (readers_[taken].empty()) return false;
  return accepts(footprints_->accesses(events_[readers_[taken].front()].footprint)[0],
                 footprints_->accesses(events_[other].footprint)[0]);
}

bool Order::adjacent(std::size_t i, std::size_t j) const {
  return std::ranges::find(direct_[j], i) != direct_[j].end();
}

std::vector<std::size_t> Order::notdep(const Race& race) const {
  std::vector<std::size_t> out;
  for (std::size_t k = race.first + 1; k < events_.size(); ++k)
    if (k != race.second && !before(race.first, k) &&
        std::ranges::none_of(race.also,
                             [&](std::size_t m) { return m == k || (m < k && before(m, k)); }))
      out.push_back(k);
  return out;
}

std::vector<Order::Race> Order::races() const {
  std::vector<Race> out;
  for (std::size_t j = 0; j < events_.size(); ++j) races_of(j, out);
  return out;
}

std::vector<Order::Race> Order::races_of_last() const {
  std::vector<Race> out;
  races_of(events_.size() - 1, out);
  return out;
}

std::vector<Order::Race> Order::races_of_pending(const Event& waiting, std::size_t at) const {
  std::vector<Race> out;
  races_of_waiting(at, pending(waiting, at), out);
  return out;
}

void Order::races_of(std::size_t j, std::vector<Race>& out) const {
  if (footprints_->blocking(events_[j].footprint) != nullptr)
    return races_of_waiting(j, step(j), out);
  for (std::size_t i = 0; i < j; ++i)
    if (adjacent(i, j) && edge(i, j) != Relation::enables) out.push_back({i, j});
}

// A step that can wait is in a race with the latest of those before which it would find what it
// waits for. What only let it continue does not stand between; a time-out does.
void Order::races_of_waiting(std::size_t j, const Step& waiting, std::vector<Race>& out) const {
  std::vector<std::size_t> between;
  for (std::size_t i = j; i-- > 0 && !footprints_->times_out(events_[i].footprint);) {
    const bool leads = leads_to(i, waiting);
    if (leads) between.push_back(i);
    const Relation r = relation(i, waiting.event.footprint);
    if (leads || r == Relation::none || r == Relation::enables) continue;
    if (std::ranges::any_of(between, [&](std::size_t k) { return before(i, k); })) continue;
    Race race{i, j};
    if (!could_go_before(race, waiting)) continue;
    out.push_back(race);
    if (r == Relation::excludes) between.push_back(i);
  }
}

Relation Order::relation(std::size_t i, FootprintId later) const {
  for (const Access& a : footprints_->accesses(events_[i].footprint))
    for (const Access& b : footprints_->accesses(later))
      if (Relation r = footprints_->dependence().relation(a, b); r != Relation::none) return r;
  return Relation::none;
}

bool Order::could_go_before(Race& race, const Step& waiting) const {
  for (;;) {
    std::vector<Event> rest(events_.begin(),
                            events_.begin() + static_cast<std::ptrdiff_t>(race.first));
    const std::vector<std::size_t> v = notdep(race);
    for (const std::size_t k : v) rest.push_back(events_[k]);
    if (enabled_after(*footprints_, rest, waiting.event)) return true;
    bool more = false;
    for (const std::size_t at : readers_in_the_way(*footprints_, rest, waiting.event)) {
      if (at < race.first) return false;
      const std::size_t k = v[at - race.first];
      for (std::size_t m = k; m < race.second; ++m)  // it must not be what led its thread there
        if (leads_to(m, waiting) && (m == k || before(k, m))) return false;
      race.also.push_back(k);
      more = true;
    }
    if (!more) return false;
  }
}

std::vector<std::size_t> Order::observers(std::size_t i, std::size_t j) const {
  std::vector<std::size_t> all;
  if (edge(i, j) != Relation::observed || observers_ == Observers::no) return all;
  const bool sends = footprints_->accesses(events_[i].footprint)[0].mode == Mode::send;
  for (std::size_t w : {i, j})
    for (std::size_t k : readers_[w])
      if ((!sends || w == taken_first(i, j)) && k != j && !before(k, j)) all.push_back(k);
  std::ranges::sort(all);
  std::vector<std::size_t> first;
  for (std::size_t k : all)
    if (std::ranges::none_of(all, [&](std::size_t m) { return m < k && before(m, k); }))
      first.push_back(k);
  first.erase(std::unique(first.begin(), first.end()), first.end());
  return first;
}

std::uint64_t Order::canonical() const {
  const auto name = [&](std::size_t i) {
    const Move m = events_[i].move;
    return mix(static_cast<std::uint64_t>(m.thread) << 16 | m.alternative, index_[i]);
  };
  std::uint64_t sum = 0;  // of a set: the order of adding does not matter
  for (std::size_t j = 0; j < events_.size(); ++j) {
    sum += mix(name(j), 1);
    for (std::size_t i = 0; i < j; ++i)
      if (past_[j][i]) sum += mix(name(i), name(j));
  }
  return sum;
}

}  // namespace heddle
