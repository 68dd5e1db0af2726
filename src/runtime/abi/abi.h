// What the pass leaves in a program for the runtime: descriptors of places in the source, and calls
// of hooks.
//
// A hook comes before the operation that it stands for, and returns when that may be executed.
#pragma once

#include <cstdint>
#include <string_view>

namespace heddle::abi {

// The version of everything here and in wire.h. A program built for another version is refused,
// with the advice to rebuild it.
inline constexpr std::uint32_t version = 15;

// What the program does at an instrumented place.
enum class SiteKind : std::uint8_t {
  read,  // plain accesses, of ranges too
  write,
  load,  // atomic accesses; volatile ones are treated as atomic
  store,
  update,
  compare_exchange,
  fence,
  call,
  loop,
};

// As in the language; `none` is a plain access. Volatile accesses are sequentially consistent.
enum class Ordering : std::uint8_t { none, relaxed, acquire, release, acquire_release, sequential };

// What the site of a call has in place of a size: whether the function changes only what hooks
// report to the runtime. Loops may call such functions and still only wait.
enum CallSize : std::uint32_t { untracked_call = 0, tracked_call = 1 };

// A place in the source, as a constant in the program.
struct Site {
  const char* file;
  const char* function;
  std::uint32_t line;
  std::uint16_t column;
  SiteKind kind;
  Ordering ordering;
  std::uint32_t size;  // in bytes, where it is fixed
  Ordering failure;    // the ordering of a compare-exchange that does not exchange
  // By the rules before C++20 and C23: a store by the thread that released continues its release
  // sequence.
  std::uint8_t own_stores_continue;
  // Races with the access are benign: the source marks the function so.
  std::uint8_t benign;
};

// How a function was called: directly, after a hook; or possibly through its address, without one.
enum Called : std::uint8_t { called_directly = 1, called_by_address = 2 };

// An instrumented module, with the functions that it calls and does not define, and those that it
// defines. Which of the former another module defines is known only for the whole program. The
// first of them has no name: it stands for all calls through an address. Names that begin with
// `not_a_function` are not functions but places where the module does something that no hook
// reports: a kind, a space, and the name of the place.
struct Module {
  std::uint8_t* called;      // by number, see Called
  const char* outside;       // their names, each with a zero after it
  const std::uint64_t* own;  // hashes of the names of those that it defines
  std::uint32_t outside_count, outside_bytes, own_count;
  std::uint32_t version;   // that it was instrumented for
  std::uint32_t compares;  // whether it has a compare-exchange
};

inline constexpr char not_a_function = '!';
inline constexpr std::string_view unseen_assembly = "!assembly",
                                  unseen_instruction = "!instruction",
                                  unseen_function = "!function", unseen_body = "!body",
                                  unseen_difference = "!difference";
// Nothing unseen: a loop that polls, and is explored round by round because its counter is used
// after the loop.
inline constexpr std::string_view counted_loop = "!counted";

// The annotation of functions by which <heddle/heddle.h> tells the pass that their races are
// benign.
inline constexpr std::string_view benign_annotation = "heddle benign races";

// Before each function of an instrumented module that other modules can see: distinguishes bodies
// with hooks from those without, where the linker had several to choose from.
inline constexpr std::uint64_t body_mark = 0x21656c6464654821;

constexpr std::uint64_t name_hash(std::string_view name) {
  std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

// The hooks:
//   void __heddle_read(const void*, const Site*)               plain accesses
//   void __heddle_write(void*, const Site*)
//   void __heddle_write_in_loop(void*, const Site*)            that might only wait
//   void __heddle_read_range(const void*, uint64_t size, const Site*)
//   void __heddle_write_range(void*, uint64_t size, const Site*)
//   void __heddle_load(const void*, const Site*)               atomic accesses
//   void __heddle_store(void*, const Site*)
//   void __heddle_store_in_loop(void*, const Site*)            that might only wait
//   void __heddle_update(void*, const Site*)                   reads and writes
//   void __heddle_compare_exchange(void*, const Site*, uint64_t expected)
//   void __heddle_compare_exchange_wide(void*, const Site*, uint64_t low, uint64_t high)
//   void __heddle_compare_exchange_at(void*, const Site*, void* expected)    as libatomic does it
//   void __heddle_fence(const Site*)
//   void __heddle_end(const void*, const Site*)                a variable comes to its end
//   void __heddle_call(const Site*, const Module*, uint32_t)   a library is called: which function
//   void __heddle_module(Module*)                              before anything of the module runs
//   uint64_t __heddle_cycles(), __heddle_random()              what the processor would answer
//
// Loops that might only wait: in the header `uint64_t d = __heddle_loop(bool enters, const Site*)`,
// where `enters` says whether the loop is entered there or goes round, and d is 0 if it goes round
// and nothing has happened in the round before; on each way back to it
// `__heddle_spin(s, const Site*)`, where s is 1 if this round, or one before it since which nothing
// had happened when this one began, began with the same local values as the next one; else 0. The
// pass promises that nothing is carried from one round to the next except what hooks report. So if
// nothing has happened in this round either, the rounds since then would repeat, unchanged, until
// another thread changes what they read. Each loop has a Site of its own, and no function that is
// called in it can come to the same loop.
//
// Loops that might only wait and that are also left by counting: in the header
// `uint64_t d = __heddle_round(bool enters, const Site*)`, on each way back to it
// `__heddle_again(s, const Site*)`, and wherever the loop is left `__heddle_left(const Site*)`.
// Here d and s are as above. The pass promises that each round that comes back only reads, and that
// except for the counting it does what the one before did if it reads the same.
//
// In such loops, `__heddle_keep(void*, uint64_t size)` comes before a write to a local variable
// that no other thread can see, if the value may still be there when the next round begins. Before
// the hooks in the header and on each way back, `__heddle_forget(void*, uint64_t size)`: the value
// of this variable has no meaning there, as each round begins to use it anew.
//
// Calls of pthread_barrier_wait whose result is not used become calls of
// `int __heddle_barrier_wait(pthread_barrier_t*)`: which thread is the serial one need not be
// explored. Calls of syscall likewise: `long __heddle_syscall(long, ...)`.
//
// For functions of libraries that access memory themselves (see functions.h), there is before a
// call `void __heddle_before(const Use*, uint32_t count, const uint64_t* arguments)` or, if the
// function has a hook of its own, __heddle_before_NAME with the same arguments. Functions that the
// runtime has report by themselves what they do; `void __heddle_private(uint32_t)` before a call
// says which of its arguments point to memory that no other thread can see.

}  // namespace heddle::abi
