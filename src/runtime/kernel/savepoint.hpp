// Savepoints: runs that begin alike need not start from the beginning. When a run passes the place
// where the next one will diverge from it, the state of everything is kept; the next run continues
// from there.
//
// The state is memory, and what follows from it: each part of the runtime says in one function what
// has to be kept, and what has to be undone before that is put back (worker/parts.cpp).
//
// Invariants.
// (1) Savepoints are on the path of one schedule, each after more events than the one before it.
//     Each has all of the state: any of them can be returned to. Those after the place where a
//     schedule leaves the path are dropped.
// (2) A savepoint is complete, or it is not made: what does not fit is never put back in part.
// (3) When a savepoint is put back, all undo functions come first, in the order in which they were
//     given; then memory, in the order in which it was kept. So an undo function sees the state of
//     the run that is abandoned, and where memory was kept twice, the latter counts.
// (4) What is kept stays at its address. Code that moves it, or that changes what runs mean (the
//     settings), calls drop_savepoints.
// (5) At most one state is kept for do_and_undo. Meanwhile nothing is saved, rewound or dropped.
//
// REQUIRES, for all functions here: on the base fiber, so that every thread's registers are on its
// stack; no event is open. (drop_savepoints may be called anywhere but in do_and_undo.)
#pragma once

#include <cstdint>

#include "runtime/abi/wire.h"

namespace heddle::runtime {

class StateHash;

class Savepoint {
 public:
  Savepoint() = default;
  // None: what would be kept is hashed instead, as it is in memory (kernel/digest.hpp).
  explicit Savepoint(StateHash& hash) : hash_(&hash) {}

  // The memory is to be put back as it is now. REQUIRES: called by a SaveState.
  void keep(void* memory, std::uint64_t size);
  template <typename T>
  void keep(T& variable) {
    keep(&variable, sizeof(T));
  }

  // The function is called before memory is put back, with this object and this number.
  using Undo = void (*)(void* object, std::uint64_t number);
  void undo(Undo function, void* object, std::uint64_t number);

 private:
  friend class Savepoints;
  // The parts of a run have 19 of them (worker/parts.cpp), whatever the program does.
  static constexpr unsigned max_undos = 24;
  struct Step {
    Undo function;
    void* object;
    std::uint64_t number;
  };

  StateHash* hash_ = nullptr;
  std::uint32_t depth_ = 0;  // events before it
  bool complete_ = false;    // there was room for all of it
  unsigned undo_count_ = 0;
  Step undos_[max_undos] = {};
  char *begin_ = nullptr, *end_ = nullptr;  // what is kept: address, size, and the bytes
};

// Keeps everything that a run has changed so far. False if that is not possible, as a part of it is
// in the system.
using SaveState = bool (*)(Savepoint& into);

// Forgets all of them: they were made under other settings.
void drop_savepoints();

// Returns to the last savepoint on the path of this request, all of whose moves up to there are
// known to the engine. False if there is none.
bool rewind_for_request();

// After how many events the run is to be saved, for the following request to begin there; more
// events than a run can have if no savepoint is needed. REQUIRES: the run has been rewound, or
// reset.
std::uint32_t next_savepoint();
// REQUIRES: the moves so far are those of the request, and the engine knows their events.
void make_savepoint(SaveState save);

// Calls `what`, and undoes it: all that `save` keeps is as before. False if that cannot be kept;
// then nothing is done.
bool do_and_undo(SaveState save, void (*what)());

}  // namespace heddle::runtime
