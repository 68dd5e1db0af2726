// The one interface between exploration and execution.
//
// A Runner runs schedules of one program. It is asked for as many runs as it says it can have under
// way, and hands back their logs in any order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/event.hpp"
#include "model/finding_kind.hpp"
#include "model/schedule.hpp"

namespace heddle {

// What to run: the schedule, then on by a fixed policy to the end, or no further.
struct Request {
  std::span<const Move> schedule;
  enum class Then : std::uint8_t { proceed, stop } then = Then::proceed;
  std::uint64_t seed = 0;  // 0: the first thread that can go on goes on; else one at random
  std::uint64_t ticket = 0;
  // What the first moves of the schedule are known to do, from earlier logs: it need not be told
  // again. The log has these events all the same, unless that is not what they do.
  std::span<const Event> known = {};
};

// A thread that could not go on when the run ended, or when a thread timed out, and the step it
// waits to take.
struct Pending {
  ThreadId thread;
  FootprintId footprint;
  std::uint32_t at;  // how many events had happened
  Site site = 0;
};

enum class Ending : std::uint8_t {
  complete,  // every thread ran to its end
  deadlock,  // some thread waits for ever
  assumed,   // some thread's assumption failed: it stopped there, the others went on
  diverged,  // the schedule is not one of this program: the event at `diverged_at` cannot happen
  stopped,   // as asked, after the schedule
  died,      // the program was gone after the last event: nobody went on
};

// What came of a run, beside its events.
struct Outcome {
  FindingKind finding = FindingKind::none;
  std::uint32_t thread = 0;                 // that the finding is about
  std::string text;                         // what happened
  std::uint64_t site = 0;                   // where: its meaning is the Runner's
  std::optional<std::uint64_t> value = {};  // as the program reported it
  // Of a run that died: the move of the thread that was on its way to a step it did not reach.
  std::optional<Move> dying_move = {};

  friend bool operator==(const Outcome&, const Outcome&) = default;
};

// What a run yields: a value, but for the spans, which are valid until anything else is asked of
// the Runner.
struct Log {
  std::uint64_t ticket = 0;
  Ending ending = Ending::complete;
  std::span<const Event> events;
  std::size_t known = 0;             // so many of them are those of the request
  std::span<const Pending> pending;  // by `at`; at each time-out, its own thread is among them
  std::uint64_t final_state = 0;     // hash of memory and all that threads saw
  std::uint64_t observed = 0;        // hash of what threads saw
  Outcome outcome;
  // The Runner learned something about the program that changes what its steps are. Nothing else in
  // this log means anything, and the exploration has to start over.
  bool learned = false;
  std::size_t diverged_at = 0;
  std::string why_diverged;

  // Something is wrong with the run, other than that it ends in a deadlock.
  bool failed() const {
    return outcome.finding != FindingKind::none && outcome.finding != FindingKind::deadlock;
  }
};

// Thrown if somebody wants the exploration to stop and what is under way does not come back: it is
// given up, and nothing is under way any more.
struct Interrupted {};

// Thrown by a Machine where a Runner has `Log::learned`.
struct Learned {};

// Which step another use of an object would make.
class Uses {
 public:
  virtual ~Uses() = default;

  // This step, had it used its first object in this way and done nothing else otherwise. Null if it
  // is not known: then it can be run.
  virtual std::optional<Event> with_use(const Event& event, const Access& use) = 0;
};

class Runner : public Uses {
 public:
  virtual std::size_t thread_count() const = 0;  // of threads that can ever exist
  virtual const Footprints& footprints() const = 0;

  // How many runs can be under way at once: submitted, and not handed back.
  virtual std::size_t capacity() const = 0;
  // What the request refers to need not stay.
  virtual void submit(const Request& request) = 0;
  // Waits for one of those under way; there must be one. This and `submit` may throw Interrupted.
  virtual const Log& next() = 0;
};

}  // namespace heddle
