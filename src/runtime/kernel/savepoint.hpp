// Savepoints: runs that begin alike need not begin anew. While a run passes the place where the
// next one will leave it, the state of everything is kept; the next run continues from there.
//
// The state is memory, and what follows from it: each part of the runtime says in one function what
// has to be kept, and what has to be undone before that is put back.
//
// Savepoints lie one behind the other on the path of one schedule, each with all of the state, so
// that any of them can be gone back to. Those behind the place where a schedule parts from the path
// are dropped.
#pragma once

#include <cstdint>

#include "runtime/abi/wire.h"

namespace heddle::runtime {

class Savepoint {
 public:
  // The memory is to be as it is now.
  void keep(void* memory, std::uint64_t size);
  template <typename T>
  void keep(T& variable) {
    keep(&variable, sizeof(T));
  }

  // To be called before memory is put back, with what the object and the number are now.
  using Undo = void (*)(void* object, std::uint64_t number);
  void undo(Undo function, void* object, std::uint64_t number);

 private:
  friend class Savepoints;
  static constexpr unsigned max_undos = 24;
  struct Step {
    Undo function;
    void* object;
    std::uint64_t number;
  };

  std::uint32_t depth_;  // events before it
  bool complete_;        // there was room for all of it
  unsigned undo_count_;
  Step undos_[max_undos];
  char *begin_, *end_;  // what is kept: where from, how much, and the bytes
};

// Everything that a run has changed so far. False if that cannot be kept, as the system has a part
// in it.
using SaveState = bool (*)(Savepoint& into);

// Forgets all of them: they were made under other settings.
void drop_savepoints();

// Goes back to the last savepoint on the path of this request, all of whose moves up to there are
// known to the engine. False if there is none.
bool rewind_for_request();

// After how many events the run is to be saved, for the request that comes after it to begin there;
// more than it can have if it need not be. To be asked when the run has its beginning.
std::uint32_t next_savepoint();
void make_savepoint(SaveState save);

// Does something, and takes it back: all that `save` keeps is as before. False if that cannot be
// kept; then nothing is done.
bool do_and_undo(SaveState save, void (*what)());

}  // namespace heddle::runtime
