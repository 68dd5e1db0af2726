// The one interface between exploration and execution.
//
// A Runner runs schedules of one program, and hands back a log of each run, in any order.
//
// Invariants that callers may rely on:
//   (1) Each request that was submitted is answered by exactly one log with its ticket, unless
//       Interrupted is thrown: then nothing is in flight any more.
//   (2) The same schedule gives the same events, as long as nothing is learned. A runner that sees
//       the program do otherwise says so (Ending::diverged), or answers with a finding.
//   (3) The events of a log begin with those of the schedule, unless the run ended before.
//   (4) Of two runs that have the same digest after some events, the program is in the same state
//       there: what can follow, and what it does, is the same.
//   (5) Footprints that were handed out keep their meaning, and so do stretches. But spans from
//       Footprints::accesses and Stretches::acts are valid until the next is interned, which
//       submit(), next() and with_use() may do.
//   (6) The stretch of an event is decided by the state before it and the move, as the event is.
//       Knowledge of names is not a part of the state.
// and that callers keep:
//   (7) No more than capacity() requests are in flight. It may change from call to call, and is
//       never 0.
//   (8) A log is used up before anything else is asked of the Runner.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "model/cube.hpp"
#include "model/event.hpp"
#include "model/finding_kind.hpp"
#include "model/schedule.hpp"
#include "model/stretch.hpp"

namespace heddle {

// Stands for the whole state of a program: wide enough that two states that differ never have the
// same, in any number that fits into memory.
using Digest = std::pair<std::uint64_t, std::uint64_t>;

// The states that are known.
class KnownStates {
 public:
  virtual ~KnownStates() = default;
  virtual bool has(const Digest& digest) const = 0;
};

// A move that is not to be made until a step comes along that it does not commute with.
struct AsleepMove {
  Move move;
  FootprintId footprint = Footprints::empty;

  friend bool operator==(const AsleepMove&, const AsleepMove&) = default;
};

// What to run: the schedule, and then to the end of the program by a fixed policy, or no further.
struct Request {
  std::span<const Move> schedule;
  enum class Then : std::uint8_t { proceed, stop } then = Then::proceed;
  std::uint64_t seed = 0;  // 0: the first thread that is enabled continues; else one at random
  std::uint64_t ticket = 0;
  // What the first moves of the schedule are known to do, from earlier logs: the Runner need not
  // find out again. The log still contains these events. If the run diverges from them, the log
  // contains what actually happened.
  std::span<const Event> known = {};
  // To compare states: the log has digests and stretches, and moves that sleep after the schedule
  // are passed over. To wake one too early costs a run, and loses nothing.
  bool digests = false;
  std::span<const AsleepMove> asleep = {};
  // By thread: how likely each is to continue, compared with the others, where one does at random.
  // A wish, that a Runner need not grant. Empty: all alike.
  std::span<const std::uint32_t> weights = {};
  // If given, the run ends after the first event that leads to a state that is known, its last
  // scheduled move included.
  const KnownStates* until = nullptr;
};

// A thread that was blocked when the run ended, or when a thread timed out, and its pending step.
struct Pending {
  ThreadId thread;
  FootprintId footprint;
  std::uint32_t at;  // how many events had happened
  StepId step = 0;
};

enum class Ending : std::uint8_t {
  complete,  // every thread ran to its end
  deadlock,  // some thread waits for ever
  assumed,   // some thread's assumption failed: it stopped there, the others continued
  diverged,  // the schedule is not one of this program: the event at `diverged_at` cannot happen
  stopped,   // as asked, after the schedule
  held,      // the program could continue, but a wait of the cube holds a step back
  died,      // the program was gone after the last event: no thread continued
  known,     // the state after the last event is known
  asleep,    // every move that could be made sleeps
};

// What came of a run, beside its events.
struct Outcome {
  FindingKind finding = FindingKind::none;
  std::uint32_t thread = 0;                 // that the finding is about
  std::string text;                         // what happened
  std::uint64_t site = 0;                   // where: its meaning is the Runner's
  std::optional<std::uint64_t> value = {};  // as the program reported it
  // For a run that died: the move of the thread that was on its way to a step it did not reach.
  std::optional<Move> dying_move = {};

  friend bool operator==(const Outcome&, const Outcome&) = default;
};

// What a run yields: a value, but for the spans, which are valid until anything else is asked of
// the Runner.
struct Log {
  std::uint64_t ticket = 0;
  Ending ending = Ending::complete;
  std::span<const Event> events;
  std::size_t known = 0;                 // the number of them that are those of the request
  std::span<const Digest> digests;       // if asked for: after each event from `Request::known` on
  std::span<const StretchId> stretches;  // if asked for, of the same events, unless all are empty
  StretchId beginning = Stretches::empty;  // of what comes before the first event: in each log
  std::span<const Pending> pending;  // by `at`; at each time-out, its own thread is among them
  std::uint64_t final_state = 0;     // hash of memory and all that threads saw
  std::uint64_t observed = 0;        // hash of what threads saw
  Outcome outcome;
  // What the Runner found to race in this run, by itself. It may tell the first only, or none:
  // then the outcome is all there is.
  std::span<const RacingPair> races;
  // The Runner learned something about the program that changes what its steps are. Nothing else in
  // this log means anything, and the exploration has to start over.
  bool learned = false;
  // False: a run of a cube that is counted in another cube, or in none.
  bool counts = true;
  std::size_t diverged_at = 0;
  std::string why_diverged;

  // Something is wrong with the run, other than that it ends in a deadlock.
  bool failed() const {
    return outcome.finding != FindingKind::none && outcome.finding != FindingKind::deadlock;
  }
};

// Thrown if the exploration is to stop and what is in flight does not come back: it is given up,
// and nothing is in flight any more.
struct Interrupted {};

// Thrown by a Machine where a Runner has `Log::learned`.
struct Learned {};

inline const Stretches no_stretches;

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
  // Those of logs.
  virtual const Stretches& stretches() const { return no_stretches; }
  // The stretches of a schedule have this race, but its run has found nothing: what is reported
  // instead. Nothing: the Runner has learned from it, as in Log::learned.
  virtual std::optional<Outcome> settle_race(const RacingPair& /*race*/) {
    return Outcome{FindingKind::data_race, 0, "two accesses race"};
  }
  // The part of the schedules that is run: steps that its waits hold back are not enabled.
  virtual const Cube& cube() const { return whole_program; }

  // How many requests can be in flight at once.
  virtual std::size_t capacity() const = 0;
  // What the request refers to need not stay.
  virtual void submit(const Request& request) = 0;
  // Waits for the log of a request that is in flight. REQUIRES: there is one. This and `submit` may
  // throw Interrupted.
  virtual const Log& next() = 0;
};

}  // namespace heddle
