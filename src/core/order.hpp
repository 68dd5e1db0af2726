// Happens-before by its definition: quadratic, and plainly right. The published algorithms, state
// merging and the oracle use it; Execution (execution.hpp) computes the same relation fast, and is
// tested against this.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/condition.hpp"
#include "model/cube.hpp"
#include "model/event.hpp"

namespace heddle {

enum class Observers : bool { no, yes };

// The relation of one sequence of events, from the beginning of a program; or from a later point,
// if it is said how many steps each thread has taken by then, and nothing before that matters. Two
// events are ordered if they are of one thread, or the first creates the thread of the second, or
// is of a thread that the second's has joined, or if they are dependent, or by transitivity. With
// observers (Aronis et al. 2018), two writes of one location are ordered only if one of them is
// read, and two sends to one mailbox only if the first receive that took either would have taken
// the other, had it come first. A time-out is ordered with all events, before it and after it, and
// in a race with none. The two steps of a wait (model/cube.hpp) are ordered, and in no race.
class Order {
 public:
  Order(const Footprints& footprints, std::span<const Event> events, Observers observers,
        std::span<const Wait> waits = {}, std::vector<std::size_t> taken = {});

  // One event more, or less. Without observers only: with them, an event can change the past.
  void push(const Event& event);
  void pop();

  std::size_t size() const { return events_.size(); }
  const Event& event(std::size_t i) const { return events_[i]; }

  // i happens before j.
  bool before(std::size_t i, std::size_t j) const { return i < j && past_[j][i]; }
  // i happens before j, by a dependence of the two, and nothing lies between.
  bool adjacent(std::size_t i, std::size_t j) const;

  // Two events that could have come in the other order. Where the second waits for several at once
  // (a writer for all readers), it cannot come before one of them alone: then before all these.
  struct Race {
    std::size_t first, second;
    std::vector<std::size_t> also = {};
  };
  // The events after the first that happen neither after it nor after those that come along.
  std::vector<std::size_t> notdep(const Race& race) const;
  // The reversible races (l.5 of Source-DPOR, l.25 of Optimal-DPOR), by second, then by first.
  std::vector<Race> races() const;
  // Those whose second is the last event.
  std::vector<Race> races_of_last() const;
  // The same for a step that had not happened when `at` events had, and nothing could: its thread
  // waits for ever, or until a thread times out. The second is then `at`.
  std::vector<Race> races_of_pending(const Event& waiting, std::size_t at) const;
  std::vector<Race> races_of_pending(const Event& waiting) const {
    return races_of_pending(waiting, events_.size());
  }

  // The first events that see in which order i and j came; empty where that needs no observer.
  std::vector<std::size_t> observers(std::size_t i, std::size_t j) const;

  // The relation as a value: equal for equivalent sequences, and only for them (up to hashing).
  std::uint64_t canonical() const;

 private:
  Relation edge(std::size_t i, std::size_t j) const;
  // A step, and its number in its thread: an event, or one that is pending after `at` events.
  struct Step {
    const Event& event;
    std::size_t index;
  };
  Step step(std::size_t j) const { return {events_[j], index_[j]}; }
  Step pending(const Event& event, std::size_t at) const;
  bool leads_to(std::size_t i, const Step& later) const;
  std::size_t taken_first(std::size_t i, std::size_t j) const;
  bool receive_sees(std::size_t i, std::size_t j) const;
  void link(std::size_t j);
  void order(std::size_t j);
  void races_of(std::size_t j, std::vector<Race>& out) const;
  void races_of_waiting(std::size_t j, const Step& waiting, std::vector<Race>& out) const;
  bool could_go_before(Race& race, const Step& waiting) const;
  Relation relation(std::size_t i, FootprintId later) const;

  const Footprints* footprints_;
  std::vector<Event> events_;
  Observers observers_;
  std::vector<Wait> waits_;
  std::vector<std::size_t> taken_;  // by thread, before the first event; 0 for those missing
  std::vector<std::vector<std::size_t>>
      readers_;                          // by event: those that read what it wrote, or took it
  std::vector<std::size_t> index_;       // of each event in its thread
  std::vector<std::vector<bool>> past_;  // by event: those before it
  std::vector<std::vector<std::size_t>> direct_;  // by event: those adjacent to it
};

// What an event does to a condition variable.
void apply(const Footprints& footprints, const Event& event, Location condition,
           ConditionState& state);

// Whether `waiting` could be taken after exactly these events.
bool enabled_after(const Footprints& footprints, std::span<const Event> events,
                   const Event& waiting);

// The places in these events of what a writer waits for: read locks that are still held.
std::vector<std::size_t> readers_in_the_way(const Footprints& footprints,
                                            std::span<const Event> events, const Event& waiting);

}  // namespace heddle
