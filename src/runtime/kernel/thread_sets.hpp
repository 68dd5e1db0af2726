// The threads of a run, as sets, and which of them can continue.
//
// Invariants. due is a subset of live. A thread is in live exactly if its status is `live`. A
// thread that is due has no step pending: it continues up to its next one without taking it.
#pragma once

#include <cstdint>

#include "runtime/abi/wire.h"
#include "runtime/kernel/current.hpp"

namespace heddle::runtime {

namespace detail {
struct ThreadSets {
  std::uint64_t live;
  // Threads that may run up to their next step without taking one: just created, or just joined.
  // When they do is unobservable; it is deferred until they are chosen, or until it matters what
  // all threads wait for.
  std::uint64_t due;
};
extern ThreadSets sets;
}  // namespace detail

inline std::uint64_t live_threads() { return detail::sets.live; }
inline std::uint64_t due_threads() { return detail::sets.due; }
inline bool is_live(unsigned id) { return (detail::sets.live & bit(id)) != 0; }
inline bool is_due(unsigned id) { return (detail::sets.due & bit(id)) != 0; }

// make_due: it continues up to its next step without taking one. set_live: it is live from now on;
// end_live: no longer.
void make_due(unsigned id);
void end_due(unsigned id);
void set_live(unsigned id);
void end_live(unsigned id);

// Whether it is live, and could take its pending step now. (A thread that is due has none.)
bool can_go(unsigned id);
// The same, whether or not a wait of the cube holds it back (waits.hpp).
bool could_go(unsigned id);
// A thread that could continue, and is held back; no_thread if there is none.
std::uint16_t held_thread();

// Threads that would time out at some time, if no thread could continue otherwise: they wait with a
// limit, or spin with one.
bool has_limit(unsigned id);
std::uint64_t limited_threads();

// How many threads, whose limits end at the same time, this thread has to choose from, see
// giving_up.hpp.
unsigned choices_to_give_up(unsigned id);

// Whether in this move the thread times out; or chooses which one does.
bool times_out(abi::WireMove move);
bool reaches_limit(abi::WireMove move);

void clear_thread_sets();
void save_thread_sets(Savepoint& into);

}  // namespace heddle::runtime
