// An operation that a thread is about to take: what the scheduler needs to know whether it can go
// on, and what to record when it does.
#pragma once

#include <cstdint>

#include "runtime/wire.h"

namespace heddle::runtime {

enum class OpKind : std::uint8_t {
  load,
  store,
  update,
  compare_exchange,
  free,
  lock,
  spin_lock,   // the same, of an object that has no more than the owner
  begin_once,  // a lock whose state is the second byte of the object
  try_lock,
  try_spin_lock,
  unlock,
  read_lock,
  try_read_lock,
  read_unlock,
  write_lock,
  try_write_lock,
  write_unlock,
  wait,  // on the condition `object`; unlocks `second`, if that is given up
  wake,
  signal,
  broadcast,
  futex_wait,
  sem_wait,
  sem_try_wait,
  sem_post,
  arrive,
  leave,
  tell,  // who left a barrier as the serial one
  hear,
  create,  // of threads, the number is in `value`
  join,    // not a step: see await_end
  choose,
  exit,   // the process ends, and what is visible is looked at
  block,  // an atomic block: its accesses are added as it makes them
  start,  // not a step: the thread has not come to its first
};

struct Op {
  OpKind kind;
  bool timed = false;      // may be given up at the time `deadline`
  bool limited = false;    // has a time limit that it is assumed not to run into
  bool told = false;       // steps of their own tell what is done to the memory of the object
  bool ordered = false;    // a store that matters to other writes, whether it is seen or not
  bool plain = false;      // an access that is a step only as far as its memory is visible
  std::uint8_t group = 0;  // of those who wait on a futex, by their masks
  std::uint16_t alternatives = 1;
  void* object = nullptr;
  // The mutex of a wait; what else is used: a condition, or where who leaves an object still does.
  const void* second = nullptr;
  std::uint64_t size = 0;  // of memory; of a barrier's generation, the incarnation
  // What a compare-exchange or a futex expects; a thread; a generation; how many a signal is for.
  // What a compare-exchange of more than eight bytes expects is at `second`.
  std::uint64_t value = 0;
  std::uint64_t deadline = 0;
};

// Whether thread `id` can take this step now.
bool is_enabled(const Op& op, unsigned id);

// Whether a compare-exchange finds what it expects.
bool exchanges(const Op& op);

// The threads because of which it has to wait, as a set, where that is known: holders of the lock,
// or the thread that is to end.
std::uint64_t held_up_by(const Op& op);

// What it waits for, for people: into the buffer.
void describe(const Op& op, char* out, std::uint64_t size);

// Adds the accesses of this step, if taken now by thread `id`, to the event that began last.
void record_accesses(const Op& op, unsigned id);
// The same for a range of memory.
void record_range(const void* from, std::uint64_t size, bool writes);
// And that the thread gave up waiting; that it has joined others.
void record_time_out();
void record_joined(std::uint64_t threads);

}  // namespace heddle::runtime
