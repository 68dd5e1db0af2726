// A program that can be stepped, and taken back: what the algorithms need that look at states, or
// decide at every step. Model programs are Machines; the fast algorithms need only a Runner.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "model/event.hpp"
#include "model/runner.hpp"

namespace heddle {

class Machine {
 public:
  virtual ~Machine() = default;

  virtual std::size_t thread_count() const = 0;
  virtual const Footprints& footprints() const = 0;
  // As Runner::cube.
  virtual const Cube& cube() const { return whole_program; }

  // Back to the beginning; forgets what was saved.
  virtual void reset() = 0;
  // Some thread may come to a step that can time out.
  virtual bool has_time_outs() const = 0;
  // No thread can continue. If one of them can time out, that is the only move: which, and whether,
  // depends on the state alone. Else the run is over.
  virtual bool stuck() const = 0;
  // The moves that can be made now, by thread, then by alternative.
  virtual void enabled(std::vector<Move>& out) const = 0;
  // Makes a move that is enabled.
  virtual Event step(Move move) = 0;
  // Why this move cannot be made, or empty.
  virtual std::string why_not(Move move) const = 0;

  // Saves the state on a stack; returns to the state last saved, which stays or goes.
  virtual void save() = 0;
  virtual void restore() = 0;
  virtual void drop() = 0;

  // The threads that wait, and for what. Meant for when no thread can continue.
  virtual std::span<const Pending> pending() const = 0;
  // REQUIRES: nothing is enabled.
  virtual Ending ending() const = 0;
  // That of the run that led to this state.
  virtual Outcome outcome() const = 0;
  // See Log::races; and whether there can be any.
  virtual std::span<const RacingPair> races() const { return {}; }
  virtual bool has_plain() const { return false; }

  // The whole state, exactly: what threads know and what synchronisation objects hold, and apart
  // from it the value of every memory location, by location.
  virtual void describe(std::vector<std::int64_t>& control,
                        std::vector<std::int64_t>& memory) const = 0;
  virtual std::uint64_t final_state() const = 0;
  virtual std::uint64_t observed() const = 0;
  // What one thread knows.
  virtual std::uint64_t observed(ThreadId thread) const = 0;
};

}  // namespace heddle
