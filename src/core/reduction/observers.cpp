#include "core/reduction/observers.hpp"

#include <algorithm>

#include "core/explorer.hpp"
#include "model/messages.hpp"

namespace heddle {

using State = Sleeper::State;

void WithObservers::reversal(const Execution& execution, const Race& race, std::vector<Event>& v) {
  seen_by_.clear();
  if (race.observed) execution.observers(race, seen_by_);
  v.clear();
  for (std::uint32_t k = race.first + 1; k < execution.size(); ++k)
    if (execution.stays(race, k)) v.push_back(execution.event(k));
  v.push_back(execution.event(race.second));
  if (seen_by_.empty()) return;  // l.3c
  v.push_back(execution.event(race.first));
  const auto sees = [&](std::uint32_t k) {
    return std::ranges::any_of(seen_by_,
                               [&](std::uint32_t o) { return o == k || execution.before(o, k); });
  };
  for (std::uint32_t k = race.first + 1; k < execution.size(); ++k)
    if (k != race.second && execution.before(race.first, k) && !sees(k))
      v.push_back(execution.event(k));
  v.push_back(execution.event(seen_by_.back()));
}

// A write sleeps through other writes. If it then moves itself, the order shows as soon as
// an event reads it; once overwritten, it never will.
void WithObservers::advance_write(Sleeper& sleeper, const Access& write, const Event& event) const {
  if (sleeper.state != State::pledged && sleeper.move.thread == event.move.thread) {
    sleeper.state = sleeper.state == State::asleep ? State::covered : State::pledged;
    return;
  }
  for (const Access& a : footprints_.accesses(event.footprint)) {
    if (a.location != write.location) continue;
    if (sleeper.state == State::pledged)
      sleeper.state = observes_memory(a.mode) ? State::awake : State::covered;
    else if (a.mode == Mode::write)
      sleeper.state = State::overwritten;
    else if (footprints_.dependence().dependent(write, a))
      sleeper.state = State::awake;
    if (sleeper.state == State::awake || sleeper.state == State::covered) return;
  }
}

// Whether a receive that takes the sleeper's message may have refused one that was sent while the
// sleeper slept.
bool WithObservers::refused_before(const Access& receive, const Sleeper& sleeper,
                                   const Trail& trail, std::uint32_t at) const {
  if (!judges(receive)) return false;
  const auto access = [&](std::uint32_t k) {
    const auto all = footprints_.accesses(trail(k).footprint);
    return all.empty() ? Access{} : all[0];
  };
  for (std::uint32_t k = sleeper.since; k < sleeper.moved_at; ++k) {
    const Access sent = access(k);
    if (sent.mode != Mode::send || sent.location != receive.location || !accepts(receive, sent))
      continue;
    bool taken = false;
    for (std::uint32_t m = k + 1; m < at; ++m) {
      const Access later = access(m);
      taken = taken || (later.mode != Mode::send && later.location == sent.location &&
                        class_of(later.mode) == ObjectClass::mailbox && later.a == sent.a);
    }
    if (!taken) return true;
  }
  return false;
}

// A send sleeps through other sends to its mailbox, until a receive takes one that came before it
// and would have taken it. Once it is taken itself, no receive can tell any more.
void WithObservers::advance_send(Sleeper& sleeper, const Access& send, const Event& event,
                                 const Trail& trail, std::uint32_t at) const {
  if (sleeper.state == State::asleep && sleeper.move.thread == event.move.thread) {
    sleeper.state = State::pledged;
    sleeper.moved_at = at;
    return;
  }
  for (const Access& a : footprints_.accesses(event.footprint)) {
    if (a.location != send.location || a.mode == Mode::send || !accepts(a, send)) continue;
    if (a.mode == Mode::try_receive_none && sleeper.state == State::asleep)
      sleeper.state = State::awake;
    if (a.mode != Mode::receive && a.mode != Mode::try_receive) continue;
    if (a.a == send.a) {
      sleeper.state = refused_before(a, sleeper, trail, at) ? State::awake : State::covered;
      return;
    }
    const std::uint32_t end = sleeper.state == State::pledged ? sleeper.moved_at : at;
    for (std::uint32_t k = sleeper.since; k < end; ++k) {
      const auto sent = footprints_.accesses(trail(k).footprint);
      if (!sent.empty() && sent[0].mode == Mode::send && sent[0].a == a.a)
        sleeper.state = State::awake;
    }
  }
}

Result explore_observers(Runner& runner, const ExploreOptions& options) {
  return Explorer(runner, WithObservers(runner.footprints()), options).explore();
}

}  // namespace heddle
