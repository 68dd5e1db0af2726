// The values by which the parts of an any-order exploration talk to each other:
//
//   Frontier --Request--> Runner --Log--> Planner --Plan--> Frontier
//                                 Task --^
//
// The frontier asks for runs, and remembers what it asked for as a Task. What the log of a run
// means follows from its task alone, never from how the run ended. Planning is a function of task
// and log: it can be done, and tested, where there is neither tree nor runner.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "model/event.hpp"

namespace heddle {

// What was asked for. A value, but for the spans, which are valid until the Frontier is asked for
// another task, or grows.
//
// Invariants: left_end.size() == path.size(), and the last of left_end is left.size(). A probe has
// a path that is not empty, and a v that is not empty; the others have no v.
struct Task {
  enum class Kind : std::uint8_t {
    leaf,   // to run along the path, and to continue to the end of the program
    probe,  // to run along the path without its last event, then along v, and to stop: what does
            // the last event of v do in the place of the path's last?
    end,    // to run along the path, and to stop: what do its moves do? (in a restored tree)
  };

  std::uint64_t ticket = 0;
  Kind kind = Kind::leaf;
  std::span<const Event> path;
  // For each event of the path, the branches left of it, by their first events. They are explored,
  // or will be, whatever is done here: they sleep along the rest of the path.
  std::span<const Event> left;
  std::span<const std::uint32_t> left_end;  // by event of the path: where in `left` its own end
  // For a leaf: so much of the path is that of older leaves.
  std::uint32_t attached_at = 0;
  std::span<const Event> v;
  // The first events of the path, with what is left of them, are those of the run that was planned
  // before. A promise that saves work, no more.
  std::size_t shared = 0;

  std::span<const Event> left_of(std::size_t k) const {
    const std::size_t begin = k == 0 ? 0 : left_end[k - 1];
    return left.subspan(begin, left_end[k] - begin);
  }
};

// A reversal that is to be inserted: v, in the place of an event of the run.
struct Insertion {
  enum class Last : std::uint8_t {
    exact,    // it is known what the last event of v does there
    assumed,  // it may do something else there, which may or may not matter
    unknown,  // it may do something else there, and that matters: a probe has to tell
  };

  std::uint32_t at = 0;
  std::span<const Event> v;
  Last last = Last::exact;
};

// The insertions that a run calls for, in order.
class Plan {
 public:
  void clear() {
    entries_.clear();
    events_.clear();
  }
  void add(std::uint32_t at, std::span<const Event> v, Insertion::Last last) {
    events_.insert(events_.end(), v.begin(), v.end());
    entries_.push_back({at, last, events_.size()});
  }

  std::size_t size() const { return entries_.size(); }
  // Valid until the plan changes.
  Insertion operator[](std::size_t k) const {
    const std::size_t begin = k == 0 ? 0 : entries_[k - 1].end;
    return {entries_[k].at, std::span(events_).subspan(begin, entries_[k].end - begin),
            entries_[k].last};
  }

 private:
  struct Entry {
    std::uint32_t at;
    Insertion::Last last;
    std::size_t end;  // of its v, in events_
  };

  std::vector<Entry> entries_;
  std::vector<Event> events_;
};

}  // namespace heddle
