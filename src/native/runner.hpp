// Compiled programs as a Runner: a Session with a worker, and the Decoder of its replies.
//
// Promises beyond those of Runner:
// - `submit` and `next` throw Unsupported if the program does what cannot be explored, and
//   Nondeterminism if two runs of one schedule differ.
// - After its destruction, nothing is in flight.
#pragma once

#include <optional>
#include <span>

#include "model/runner.hpp"
#include "native/decoder.hpp"
#include "native/notes.hpp"
#include "native/seen_race.hpp"
#include "native/session.hpp"

namespace heddle::native {

// Thrown if the program does what cannot be explored.
struct Unsupported {
  Outcome outcome;
};

class NativeRunner final : public Runner {
 public:
  // REQUIRES: the worker is configured; `races` and `cube` are as in its settings. Every
  // `repeat_every`-th schedule is run twice.
  NativeRunner(Transport& worker, SharedNames& names, Knowledge& knowledge, abi::Races races,
               std::uint64_t repeat_every, Cube cube = {});
  ~NativeRunner() override;

  std::size_t thread_count() const override;
  const Footprints& footprints() const override { return decoder_.footprints(); }
  const Stretches& stretches() const override { return decoder_.stretches().stretches(); }
  const Cube& cube() const override { return cube_; }
  std::size_t capacity() const override;

  void submit(const Request& request) override;
  const Log& next() override;
  std::optional<Event> with_use(const Event& event, const Access& use) override {
    return decoder_.with_use(event, use);
  }

  std::optional<Outcome> settle_race(const RacingPair& race) override;
  // Adds the races of the last log, or this one.
  void add_races(SeenRaces& to) const;
  void add_race(const RacingPair& race, SeenRaces& to) const;
  // Whether the race matters, see ExploreOptions::wants_race.
  bool counts_as_race(const RacingPair& race) const { return decoder_.counts_as_race(race); }

  // Runs a schedule and stops after it, as Request::Then::stop does, and lists the moves with which
  // the run could continue. `known` is as in a Request.
  const Log& list_moves(std::span<const Move> schedule, std::span<const Event> known);
  std::span<const Move> choices() const { return run_.choices; }
  // The threads among them that may have more alternatives than the first: see Varies::choices.
  std::span<const ThreadId> choosers() const { return run_.choosers; }
  // The place of a step of a log: the address of an abi::Site, or 0.
  std::uint64_t site_of(const Event& event) const { return decoder_.site_of(event.step); }

  // Call it when no more logs are needed: a schedule that is being run a second time may still
  // differ.
  void finish() { session_.finish(); }

  // What all runs so far reported.
  Notes notes() const;

  // Run a schedule alone: `explain` with all details, `run_alone` without, as in an exploration.
  // They throw Unsupported; and Learned, but only if values of semaphores turn out to count, or if
  // the run dies.
  Explanation explain(std::span<const Move> schedule);
  Explanation run_alone(std::span<const Move> schedule);

  // Whether two runs of the schedule are the same.
  bool repeats(std::span<const Move> schedule);

 private:
  const Log& decode(const Session::Answer& answer);
  void shorten(std::size_t events);
  void complete_digests(std::size_t from);
  void place_stretches(std::size_t from);
  void tell_known(const KnownStates& known);
  Explanation run_alone(std::span<const Move> schedule, abi::Then then);

  Transport& worker_;
  Cube cube_;
  Decoder decoder_;
  Session session_;
  DecodedRun run_;
  Notes notes_;
  bool compares_ = false;      // states, in the last request
  std::vector<Digest> fresh_;  // states of logs so far, of which it is not known which are kept
  StretchId beginning_ = Stretches::empty;
  std::uint64_t unique_ = 0;  // states that are like no other
};

}  // namespace heddle::native
