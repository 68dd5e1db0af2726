// A run in terms of the source: the table of rows that a finding is shown as. Plain data; the words
// for it are in findings/phrases.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "findings/place.hpp"
#include "model/access.hpp"

namespace heddle::findings {

// What a thread does in a step. Those that end in `_fail` tried, and changed nothing. The words for
// each are a row of the table in findings/phrases.cpp, in this order.
enum class Verb : std::uint8_t {
  read,
  write,
  update,
  compare_exchange,
  compare_exchange_fail,
  add,
  alloc,
  free,
  lock,
  try_lock,
  try_lock_fail,
  unlock,
  read_lock,
  try_read_lock,
  try_read_lock_fail,
  read_unlock,
  write_lock,
  try_write_lock,
  try_write_lock_fail,
  write_unlock,
  wait,
  signal,
  broadcast,
  wake,
  sem_wait,
  sem_try_wait,
  sem_try_wait_fail,
  sem_post,
  arrive,
  leave,
  create,
  join,
  send,
  receive,
  try_receive,
  try_receive_fail,
  time_out,
  choose,
  atomic_block,
};
inline constexpr std::size_t verb_count = static_cast<std::size_t>(Verb::atomic_block) + 1;

Verb verb_of(Mode mode);

struct Object {
  ObjectClass kind = ObjectClass::memory;
  std::string name;           // "queue.items[2].next", "block #2 + 8"; of a thread, its number
  std::uint64_t address = 0;  // of its first byte; 0: it has none
  std::uint64_t size = 0;     // of the memory that is accessed; 0: not known
};

struct Value {
  std::uint64_t bits = 0;
  std::string text;  // as the source would write it: "-1", "true", "&counter", "block #1"
};

// One thing done to one object. Values are those of its memory, where they are known.
struct Action {
  Verb verb = Verb::read;
  Object object;
  std::optional<Value> before = {}, after = {};
};

// What a step gets from other threads.
struct Origin {
  enum class Relation : std::uint8_t {
    none,
    from,   // it reads what the thread wrote, or was woken by it
    after,  // it acquires what the thread released, or joined the thread
    races,  // it races with an access of the thread
  };
  Relation relation = Relation::none;
  std::vector<unsigned> threads = {};
  std::size_t step = 0;  // the number of the step that wrote or released; 0: not known
};

// A thread that holds what another is blocked on.
struct Holder {
  unsigned thread = 0;
  std::size_t step = 0;  // with which it acquired it
  Place since = {};      // where that is
};

struct Row {
  enum class Kind : std::uint8_t {
    step,
    access,   // not a step: one of two that race, or a free
    waits,    // at the end, for ever: the step is pending
    finding,  // what goes wrong
  };
  Kind kind = Kind::step;
  std::size_t number = 0;  // of a step, from 1; 0: it is not a step
  unsigned thread = 0;
  Verb verb = Verb::read;
  // One, but for an atomic block, and for a wait that unlocks its mutex, which comes second. Of a
  // choice, of a time-out and of a finding, none.
  std::vector<Action> actions = {};
  unsigned alternative = 0, alternatives = 1;  // of a choice, or of a time-out: which, of how many
  Origin origin = {};
  std::vector<Holder> holders = {};  // of what it is blocked on
  std::string note = {};             // of a finding: what goes wrong, in short
  Place place = {};                  // in the user's code, if it comes from there
  std::string source = {};           // the file to look for that line in
  std::vector<Place> stack = {};     // the innermost first
  bool routine = false;              // threads are created and end
  bool own = false;                  // no other thread uses the object
  bool library = false;              // a library uses something of its own

  const Object* object() const { return actions.empty() ? nullptr : &actions[0].object; }
};

// Whether two rows differ in nothing but their numbers and stacks: they read the same.
bool reads_the_same(const Row& a, const Row& b);

// A block of the heap that rows name.
struct Block {
  unsigned number = 0;  // from 1
  std::uint64_t size = 0;
  std::optional<unsigned> allocated_by = {};  // a thread; none: before main
  Place allocated_at = {};
  std::optional<unsigned> freed_by = {};
  Place freed_at = {};
};

struct Trace {
  std::vector<Row> rows;             // up to the finding, and what comes after it
  std::size_t end = 0;               // how many rows there are up to the finding
  std::vector<std::string> threads;  // what each runs: the name of its function, or nothing
  std::vector<Block> blocks;         // by number
};

}  // namespace heddle::findings
