// Sleepers: branches that are explored already, and what it takes to wake them.
//
// A branch q left of a path sleeps along it until an event comes that q does not commute with. A
// sequence that leaves q asleep, or runs q while it sleeps, is covered by what is explored below q:
// it could be reordered to start with q. In the papers' words, q is a weak initial of the sequence.
// This one notion serves as sleep set along the path, as redundancy test of a reversal, and to find
// the way of a reversal down the tree.
#pragma once

#include <cstdint>
#include <span>

#include "model/event.hpp"
#include "model/runner.hpp"

namespace heddle {

struct Sleeper {
  enum class State : std::uint8_t {
    asleep,       // has not moved, nothing it does not commute with has happened
    overwritten,  // a write, asleep; other writes came there since: if it moves and is read, it
                  // was awake
    pledged,      // moved, and covered, unless it turns out that an event saw it come late
    covered,      // moved while asleep: whatever follows, this is explored below it
    awake,
  };

  Move move;
  FootprintId footprint = Footprints::empty;
  State state = State::asleep;
  std::uint32_t since = 0;     // the length of the path when it fell asleep
  std::uint32_t moved_at = 0;  // of a pledged send: its place on the path

  static Sleeper of(const Event& head, std::uint32_t since) {
    return {head.move, head.footprint, State::asleep, since, 0};
  }
};

// The events that lead to where a sleeper is looked at: those of a run or of a path of the tree,
// the branches that an insertion has walked through after them, and what is to follow.
struct Trail {
  std::span<const Event> path;
  std::span<const Event> walked;
  std::span<const Event> beyond;

  const Event& operator()(std::size_t k) const {
    if (k < path.size()) return path[k];
    k -= path.size();
    return k < walked.size() ? walked[k] : beyond[k - walked.size()];
  }
};

// Whether the at-th event of a sequence completes the generation of a barrier in which a step with
// this footprint, still pending, would arrive. Two arrivals of one generation commute; but once it
// is complete, a thread that has not arrived belongs to the next.
// (Not inlined: rare, and it would keep `wakes` from being so.)
template <typename EventAt>
[[gnu::noinline]] bool shuts_out(const Footprints& footprints, FootprintId sleeper,
                                 const EventAt& event_at, std::size_t at) {
  const Access& own = footprints.accesses(sleeper)[0];
  const auto same = [&](std::size_t k) {
    const auto a = footprints.accesses(event_at(k).footprint);
    return !a.empty() && a[0] == own;
  };
  std::uint64_t arrived = 0;
  for (std::size_t k = 0; k <= at; ++k) arrived += same(k) ? 1 : 0;
  return same(at) && arrived == own.b;
}

// The at-th event of a sequence, by another thread, wakes a step that has this footprint.
template <typename EventAt>
inline bool wakes(const Footprints& footprints, FootprintId sleeper, const Event& event,
                  const EventAt& event_at, std::size_t at) {
  return footprints.dependent(sleeper, event.footprint) ||
         (footprints.first_mode(sleeper) == Mode::arrive &&
          shuts_out(footprints, sleeper, event_at, at));
}

// What a sleeper that only wakes or moves makes of the at-th event of a sequence.
template <typename EventAt>
inline void advance_plainly(const Footprints& footprints, Sleeper& sleeper, const Event& event,
                            const EventAt& event_at, std::size_t at) {
  if (sleeper.move.thread == event.move.thread)
    sleeper.state = sleeper.move == event.move ? Sleeper::State::covered : Sleeper::State::awake;
  else if (wakes(footprints, sleeper.footprint, event, event_at, at))
    sleeper.state = Sleeper::State::awake;
}

// Whether a move that sleeps before this event sleeps after it, where nothing is known of the
// events before (so that any arrival at its barrier may shut it out).
inline bool sleeps_on(const Footprints& footprints, const AsleepMove& sleeper, const Event& event) {
  return sleeper.move.thread != event.move.thread && !footprints.times_out(event.footprint) &&
         !footprints.dependent(sleeper.footprint, event.footprint) &&
         !(footprints.first_mode(sleeper.footprint) == Mode::arrive &&
           footprints.share_location(sleeper.footprint, event.footprint));
}

// Whether a sleeper is still asleep, or covers everything, after v. `unknown`: that hangs on what
// the last event of v does there, and this is only assumed.
enum class Answer : std::uint8_t { no, yes, unknown };

// A reversal on its way down the tree: the trail leads to where v is to be added.
struct Candidate {
  Trail trail;  // `beyond` is v
  bool exact;   // it is known what the last event of v does there
};

// The last event of v has not been run in this place: what it would do is known only in part.
inline bool in_doubt(const Footprints& footprints, const Sleeper& sleeper, const Event& last) {
  if (sleeper.state != Sleeper::State::pledged && sleeper.move.thread == last.move.thread)
    return false;
  return footprints.varies(last.footprint) >= Varies::anything ||
         footprints.share_location(sleeper.footprint, last.footprint);
}

// REQUIRES: the sleeper is asleep, and of the kind that then only wakes or moves.
inline Answer sleeps_through_plainly(const Footprints& footprints, const Sleeper& sleeper,
                                     const Candidate& candidate) {
  const std::span<const Event> v = candidate.trail.beyond;
  const std::size_t before = candidate.trail.path.size() + candidate.trail.walked.size();
  for (std::size_t k = 0; k < v.size(); ++k) {
    if (v[k].move.thread == sleeper.move.thread)
      return v[k].move == sleeper.move ? Answer::yes : Answer::no;
    if (!candidate.exact && k + 1 == v.size() && in_doubt(footprints, sleeper, v[k]))
      return Answer::unknown;
    if (wakes(footprints, sleeper.footprint, v[k], candidate.trail, before + k)) return Answer::no;
  }
  return Answer::yes;
}

// The sleeper is the caller's own copy, and used up. (By reference: to pass one that has just been
// put together by value stalls the processor, which was seen in whole explorations.)
template <typename Reduction>
Answer sleeps_through(const Reduction& reduction, const Footprints& footprints, Sleeper& sleeper,
                      const Candidate& candidate) {
  if (!reduction.can_be_pledged(sleeper))
    return sleeps_through_plainly(footprints, sleeper, candidate);
  const std::span<const Event> v = candidate.trail.beyond;
  const std::size_t before = candidate.trail.path.size() + candidate.trail.walked.size();
  for (std::size_t k = 0; k < v.size(); ++k) {
    if (!candidate.exact && k + 1 == v.size() && in_doubt(footprints, sleeper, v[k]))
      return Answer::unknown;
    reduction.advance(sleeper, v[k], candidate.trail, static_cast<std::uint32_t>(before + k));
    if (sleeper.state == Sleeper::State::awake) return Answer::no;
    if (sleeper.state == Sleeper::State::covered) return Answer::yes;
  }
  return Answer::yes;
}

}  // namespace heddle
