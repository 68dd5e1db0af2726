#include "native/machine.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "core/result.hpp"

namespace heddle::native {

void NativeMachine::reset() {
  saved_.clear();
  schedule_.clear();
  now_ = {};
  list_moves();
}

Event NativeMachine::step(Move move) {
  schedule_.clear();
  for (const Event& e : now_.events) schedule_.push_back(e.move);
  schedule_.push_back(move);
  list_moves();
  Event last = now_.events.back();
  last.step = place_of(last);
  return last;
}

void NativeMachine::list_moves() {
  const Log& log = runner_.list_moves(schedule_, now_.events);
  if (log.learned) throw Learned();
  if (log.ending == Ending::diverged) throw Diverged(schedule_, log.diverged_at, log.why_diverged);
  now_.events.assign(log.events.begin(), log.events.end());
  // The process died on the way to the last step of the schedule, whose accesses are not known
  // then.
  if (log.ending == Ending::died && log.events.size() + 1 == schedule_.size())
    now_.events.push_back({schedule_.back(), Footprints::empty, 0, 1});
  if (now_.events.size() < schedule_.size())
    throw Diverged(schedule_, log.events.size(), "the program ends before");
  now_.choices.assign(runner_.choices().begin(), runner_.choices().end());
  now_.pending.assign(log.pending.begin(), log.pending.end());
  now_.ending = log.ending;
  now_.outcome = log.outcome;
  if (!runner_.choosers().empty()) find_alternatives();
}

// Each alternative says which is the next.
void NativeMachine::find_alternatives() {
  const std::vector<ThreadId> choosers(runner_.choosers().begin(), runner_.choosers().end());
  for (const ThreadId thread : choosers)
    for (Move move{thread, 0};;) {
      schedule_.push_back(move);
      const Log& log = runner_.list_moves(schedule_, now_.events);
      if (log.learned) throw Learned();
      const bool taken = log.events.size() >= schedule_.size();
      schedule_.pop_back();
      if (!taken || log.events[schedule_.size()].alternatives == 1) break;
      move.alternative = static_cast<std::uint16_t>(log.events[schedule_.size()].alternatives - 1);
      now_.choices.push_back(move);
    }
  std::ranges::sort(now_.choices);
}

StepId NativeMachine::place_of(const Event& event) {
  const std::uint64_t site = runner_.site_of(event);
  return places_.try_emplace({event.move.thread, site}, static_cast<StepId>(places_.size()))
      .first->second;
}

bool NativeMachine::stuck() const {
  return std::ranges::none_of(now_.choices, [&](Move m) {
    return std::ranges::find(now_.pending, m.thread, &Pending::thread) == now_.pending.end();
  });
}

std::string NativeMachine::why_not(Move move) const {
  return std::ranges::find(now_.choices, move) == now_.choices.end() ? "it cannot continue" : "";
}

void NativeMachine::describe(std::vector<std::int64_t>&, std::vector<std::int64_t>&) const {
  throw Bug("states of compiled programs cannot be compared");
}

}  // namespace heddle::native
