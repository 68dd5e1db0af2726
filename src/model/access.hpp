// The vocabulary: what a step of a program can do to an object that other threads can see.
//
// An access is symbolic: which object, in which way, and, where the way alone does not tell what it
// depends on, a detail. The algorithms compare, print and hash accesses; they never need the
// program to understand them.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace heddle {

using Location = std::uint32_t;

// An object is of one class, and only modes of that class are applied to it.
enum class ObjectClass : std::uint8_t {
  memory,
  mutex,
  rwlock,
  condition,
  semaphore,
  barrier,
  thread,
  mailbox,
  time,  // of time_out only: what its thread waited for is of another class
};

// The ways to use an object. Modes that end in `_fail` or `_none` tried and changed nothing.
enum class Mode : std::uint8_t {
  // memory
  read,
  write,           // all that its step does: the order of two such matters only if observed
  write_in_block,  // one of several accesses of its step: always ordered
  update,          // reads and writes, in one step
  add,             // adds, and no thread sees the result: adds commute
  alloc,
  free,
  // mutex
  lock,
  try_lock,
  try_lock_fail,
  unlock,
  // rwlock
  read_lock,
  try_read_lock,
  try_read_lock_fail,
  read_unlock,
  write_lock,
  try_write_lock,
  try_write_lock_fail,
  write_unlock,
  // condition: wait registers (and unlocks, a second access); a wake takes the token of a signal or
  // a broadcast, wake_all of one that left a token for each of those that waited. For a signal or
  // broadcast, `a` is its number among those that left tokens, 0 if it left none; for a wake, `a`
  // is
  // the number of what left its token, and `b` how many had left tokens when the thread began to
  // wait (see model/condition.hpp)
  wait,
  signal,
  broadcast,
  wake,
  wake_all,
  // semaphore
  sem_wait,
  sem_try_wait,
  sem_try_wait_fail,
  sem_post,
  // barrier; `a` is the generation, `b` how many complete it
  arrive,
  leave,
  // thread; `a` is its number. Its start and its end are not steps, and neither is a join: the
  // first
  // step of a thread comes after its creation, and the first step of another thread after it joined
  // this one comes after all of its steps (see core/order.hpp)
  create,
  join,    // waits for its end: only ever pending
  joined,  // one of several accesses of a step: the stepping thread has joined thread `a` since its
           // previous step
  // mailbox; `a` is the message, `b` what it is, or what is accepted (see model/messages.hpp)
  send,
  receive,           // waits until there is a match
  try_receive,       // took a message and would not have waited
  try_receive_none,  // found none
  // any object: its thread waits for it no longer. It happens only when no thread can continue, and
  // is ordered with everything, whatever the object (see core/order.hpp)
  time_out,
};

inline constexpr std::size_t mode_count = static_cast<std::size_t>(Mode::time_out) + 1;

struct Access {
  Location location = 0;
  Mode mode = Mode::read;
  std::uint8_t bits[3] = {};  // the first: `b` is a name (see model/messages.hpp). (There is no
                              // padding: accesses are hashed as bytes.)
  std::uint64_t a = 0;
  std::uint64_t b = 0;

  friend bool operator==(const Access&, const Access&) = default;
};

ObjectClass class_of(Mode mode);
std::string_view name_of(Mode mode);

// Waits while its object is not in the right state.
constexpr bool blocks(Mode mode) {
  return mode == Mode::lock || mode == Mode::read_lock || mode == Mode::write_lock ||
         mode == Mode::sem_wait || mode == Mode::wake || mode == Mode::wake_all ||
         mode == Mode::leave || mode == Mode::join || mode == Mode::receive;
}

// An annotation of a step, not an operation: it orders threads, and nothing else follows from it.
constexpr bool tells_of_thread(Mode mode) {
  return mode == Mode::create || mode == Mode::join || mode == Mode::joined;
}

// Sees the value of a memory location: an observer of the writes before it.
constexpr bool observes_memory(Mode mode) {
  return mode == Mode::read || mode == Mode::update || mode == Mode::add;
}

}  // namespace heddle
