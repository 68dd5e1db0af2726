// Model programs: small concurrent programs as data. The papers' examples, the oracle's and the
// fuzzer's programs are of this form; so are those that tests write as text (text.hpp).
//
// A thread is a list of instructions over its own registers and the shared objects. Instructions
// that other threads can observe are steps of a schedule; the rest (set, arithmetic, jumps) are
// carried out together with the step before them. An atomic block is one step.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/access.hpp"
#include "model/event.hpp"

namespace heddle::interp {

enum class Op : std::uint8_t {
  // memory
  read,       // dst = object
  check,      // dst = (object cmp value): only the comparison is kept
  assume,     // the thread stops here unless object cmp value
  write,      // object = value
  add,        // object += value, no thread sees the result
  fetch_add,  // dst = object, object += value
  exchange,   // dst = object, object = value
  cas,        // dst = (object == value), and if so object = value2
  alloc,
  free,
  // synchronisation
  lock,
  try_lock,  // dst = 1 if it got it
  unlock,
  read_lock,
  try_read_lock,
  read_unlock,
  write_lock,
  try_write_lock,
  write_unlock,
  wait,  // object is the condition, second the mutex: waits, then locks again
  signal,
  broadcast,
  sem_wait,
  sem_try_wait,
  sem_post,
  barrier,
  create,
  join,
  // messages: object is the mailbox's owner; value is the tag sent, or the set of tags accepted
  send,
  receive,      // dst = the sender's number + 1
  try_receive,  // the same, or 0 if there is no match
  // other steps
  choose,  // dst = 0 .. value - 1
  fence,
  atomic_begin,
  atomic_end,
  // not steps
  set,     // dst = value
  plus,    // dst += value
  times,   // dst *= value
  modulo,  // dst %= value
  jump,    // to target, if register `dst` cmp value
  claim,   // an assertion: register `dst` cmp value, or else a finding and the thread stops
  // nor are accesses that nothing orders: two that conflict are a data race, unless something else
  // orders them
  plain_read,   // dst = object
  plain_write,  // object = value
};
inline bool is_plain(Op op) { return op == Op::plain_read || op == Op::plain_write; }

// What an access to memory orders besides: whether its thread learns what others did before they
// wrote there, and others learn what it did. Runs are sequentially consistent in any case.
enum class MemoryOrder : std::uint8_t { sequential, relaxed, acquire, release, acquire_release };

enum class Compare : std::uint8_t { eq, ne, lt, le, gt, ge };
bool holds(std::int64_t left, Compare cmp, std::int64_t right);

inline constexpr std::int8_t no_register = -1;

// A constant, or a register plus a constant.
struct Value {
  std::int64_t constant = 0;
  std::int8_t reg = no_register;

  friend bool operator==(const Value&, const Value&) = default;
};

struct Instruction {
  Op op = Op::fence;
  Location object = 0;              // the first of its array, where `index` is given
  std::int8_t index = no_register;  // register added to `object`
  std::int8_t dst = no_register;
  Compare cmp = Compare::eq;
  bool timed = false;  // of a lock, wait or sem_wait: it can time out; dst = 0 then, and else 1
  Location second = 0;
  Value value{};
  Value value2{};
  std::int32_t target = 0;                      // of a jump: an instruction of the same thread
  MemoryOrder order = MemoryOrder::sequential;  // of an access to memory, or a fence

  friend bool operator==(const Instruction&, const Instruction&) = default;
};

struct Object {
  std::string name;
  ObjectClass kind = ObjectClass::memory;
  std::int64_t initial = 0;  // a location's or a semaphore's value, a barrier's count
  std::uint32_t index = 0;   // in an array: its position; its first has the array's size
  std::uint32_t length = 1;
  bool on_heap = false;  // must be allocated before use
};

struct Thread {
  std::string name;
  std::vector<Instruction> code;
  bool created = false;  // by another thread, and not from the beginning
};

// Objects are numbered as declared; thread t is object threads_at + t, its mailbox mailboxes_at +
// t, after all declared ones.
struct Program {
  std::string name;
  std::vector<Object> objects;
  std::vector<Thread> threads;

  Location thread_object(std::size_t t) const { return static_cast<Location>(objects.size() + t); }
  Location mailbox(std::size_t t) const {
    return static_cast<Location>(objects.size() + threads.size() + t);
  }
  std::size_t object_count() const { return objects.size() + 2 * threads.size(); }
};

inline constexpr std::size_t register_count = 64;

// Throws Misuse if an instruction names something that does not exist or is of the wrong kind.
void validate(const Program& program);

}  // namespace heddle::interp
