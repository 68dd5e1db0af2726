// The words of model programs as text: tables that the parser and the printer share, so that they
// cannot differ.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

#include "interp/program.hpp"

namespace heddle::interp {

enum class Initial : std::uint8_t { none, optional, required };

struct Declaration {
  std::string_view name;
  ObjectClass kind;
  Initial initial = Initial::none;
  bool array = false;
  bool on_heap = false;
};

inline constexpr std::array declarations = {
    Declaration{"var", ObjectClass::memory, Initial::optional},
    Declaration{"heap", ObjectClass::memory, Initial::none, false, true},
    Declaration{"array", ObjectClass::memory, Initial::optional, true},
    Declaration{"mutex", ObjectClass::mutex},
    Declaration{"mutexes", ObjectClass::mutex, Initial::none, true},
    Declaration{"rwlock", ObjectClass::rwlock},
    Declaration{"cond", ObjectClass::condition},
    Declaration{"sem", ObjectClass::semaphore, Initial::optional},
    Declaration{"barrier", ObjectClass::barrier, Initial::required},
};

// What follows an instruction's word, and the field that it is for.
enum class Operand : std::uint8_t {
  none,
  object,
  mutex,  // second
  compare,
  value,
  value2,
  reg,  // dst
  thread,
  mailbox,
  tag,
  tags,
  alternatives,
};

struct Word {
  std::string_view name;
  Op op;
  std::array<Operand, 3> operands = {};
  ObjectClass kind = ObjectClass::memory;  // of the object
  bool result = false;                     // can be preceded by `$0 =`
  bool timed = false;
};

inline constexpr std::array words = {
    Word{"assume", Op::assume, {Operand::object, Operand::compare, Operand::value}},
    Word{"fetch_add", Op::fetch_add, {Operand::object, Operand::value}, ObjectClass::memory, true},
    Word{"exchange", Op::exchange, {Operand::object, Operand::value}, ObjectClass::memory, true},
    Word{"cas",
         Op::cas,
         {Operand::object, Operand::value, Operand::value2},
         ObjectClass::memory,
         true},
    Word{"alloc", Op::alloc, {Operand::object}},
    Word{"free", Op::free, {Operand::object}},
    Word{"lock", Op::lock, {Operand::object}, ObjectClass::mutex},
    Word{"timed_lock", Op::lock, {Operand::object}, ObjectClass::mutex, true, true},
    Word{"try_lock", Op::try_lock, {Operand::object}, ObjectClass::mutex, true},
    Word{"unlock", Op::unlock, {Operand::object}, ObjectClass::mutex},
    Word{"read_lock", Op::read_lock, {Operand::object}, ObjectClass::rwlock},
    Word{"try_read_lock", Op::try_read_lock, {Operand::object}, ObjectClass::rwlock, true},
    Word{"read_unlock", Op::read_unlock, {Operand::object}, ObjectClass::rwlock},
    Word{"write_lock", Op::write_lock, {Operand::object}, ObjectClass::rwlock},
    Word{"try_write_lock", Op::try_write_lock, {Operand::object}, ObjectClass::rwlock, true},
    Word{"write_unlock", Op::write_unlock, {Operand::object}, ObjectClass::rwlock},
    Word{"wait", Op::wait, {Operand::object, Operand::mutex}, ObjectClass::condition},
    Word{"timed_wait",
         Op::wait,
         {Operand::object, Operand::mutex},
         ObjectClass::condition,
         true,
         true},
    Word{"signal", Op::signal, {Operand::object}, ObjectClass::condition},
    Word{"broadcast", Op::broadcast, {Operand::object}, ObjectClass::condition},
    Word{"sem_wait", Op::sem_wait, {Operand::object}, ObjectClass::semaphore},
    Word{"timed_sem_wait", Op::sem_wait, {Operand::object}, ObjectClass::semaphore, true, true},
    Word{"sem_try_wait", Op::sem_try_wait, {Operand::object}, ObjectClass::semaphore, true},
    Word{"sem_post", Op::sem_post, {Operand::object}, ObjectClass::semaphore},
    Word{"barrier", Op::barrier, {Operand::object}, ObjectClass::barrier},
    Word{"create", Op::create, {Operand::thread}, ObjectClass::thread},
    Word{"join", Op::join, {Operand::thread}, ObjectClass::thread},
    Word{"send", Op::send, {Operand::mailbox, Operand::tag}, ObjectClass::mailbox},
    Word{"receive", Op::receive, {Operand::tags}, ObjectClass::mailbox, true},
    Word{"try_receive", Op::try_receive, {Operand::tags}, ObjectClass::mailbox, true},
    Word{"choose", Op::choose, {Operand::alternatives}, ObjectClass::memory, true},
    Word{"fence", Op::fence},
    Word{"claim", Op::claim, {Operand::reg, Operand::compare, Operand::value}},
};

// After an access to memory, or a fence. In the order of MemoryOrder; the first need not be
// written.
inline constexpr std::array<std::string_view, 5> memory_orders = {"seq_cst", "relaxed", "acquire",
                                                                  "release", "acq_rel"};
static_assert(static_cast<int>(MemoryOrder::sequential) == 0 &&
              static_cast<int>(MemoryOrder::relaxed) == 1 &&
              static_cast<int>(MemoryOrder::acquire) == 2 &&
              static_cast<int>(MemoryOrder::release) == 3 &&
              static_cast<int>(MemoryOrder::acquire_release) == 4);

// Of the form `$0 := VALUE`.
struct Assignment {
  std::string_view name;
  Op op;
};

inline constexpr std::array assignments = {
    Assignment{":=", Op::set},
    Assignment{"+=", Op::plus},
    Assignment{"*=", Op::times},
    Assignment{"%=", Op::modulo},
};

// In the order of Compare.
inline constexpr std::array<std::string_view, 6> comparisons = {"==", "!=", "<", "<=", ">", ">="};
static_assert(static_cast<int>(Compare::eq) == 0 && static_cast<int>(Compare::ne) == 1 &&
              static_cast<int>(Compare::lt) == 2 && static_cast<int>(Compare::le) == 3 &&
              static_cast<int>(Compare::gt) == 4 && static_cast<int>(Compare::ge) == 5);

// `goto`: jumps if $0 >= $0.
inline constexpr Instruction always = [] {
  Instruction i;
  i.op = Op::jump;
  i.dst = 0;
  i.cmp = Compare::ge;
  i.value.reg = 0;
  return i;
}();

// The entry of a table that has this name, or null.
template <typename Entry, std::size_t n>
constexpr const Entry* named(const std::array<Entry, n>& table, std::string_view name) {
  const auto found = std::ranges::find(table, name, &Entry::name);
  return found == table.end() ? nullptr : &*found;
}

// Words that begin something in a thread, and so cannot name anything.
constexpr bool reserved(std::string_view word) {
  return named(words, word) != nullptr || word == "thread" || word == "created" ||
         word == "atomic" || word == "goto" || word == "if" || word == "plain";
}

}  // namespace heddle::interp
