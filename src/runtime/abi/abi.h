// What the pass leaves in a program, for the runtime: descriptors of places, and calls of hooks.
//
// A hook comes before what it stands for, and returns when that may be done.
#pragma once

#include <cstdint>
#include <string_view>

namespace heddle::abi {

// Of everything here and in wire.h. A program built for another version is told to be rebuilt.
inline constexpr std::uint32_t version = 12;

// What an instrumented place does.
enum class SiteKind : std::uint8_t {
  read,  // plain accesses; ranges too
  write,
  load,  // atomic ones; volatile ones are taken for such
  store,
  update,
  compare_exchange,
  fence,
  call,
  loop,
};

// As in the language; `none` is plain. Volatile accesses are sequentially consistent.
enum class Ordering : std::uint8_t { none, relaxed, acquire, release, acquire_release, sequential };

// What the site of a call has for a size: whether the function changes only what the runtime is
// told of, as those do that loops may call and still only wait.
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
  Ordering failure;    // of a compare-exchange that does not exchange
  // By the rules before C++20 and C23: a store of the thread that released continues its release
  // sequence.
  std::uint8_t own_stores_continue;
  // Races with the access are benign: the function is marked so.
  std::uint8_t benign;
};

// Of a function: it was called; it can have been by way of its address, with no hook before it.
enum Called : std::uint8_t { called_directly = 1, called_by_address = 2 };

// An instrumented module, with the functions that it calls and does not define, and with those that
// it defines. Which of the former are defined by another module only the whole program tells. The
// first of them has no name: it stands for all calls by way of an address. Names that begin with
// `not_a_function` are of places where the module does what the runtime is not told of: what they
// are, a space, and which.
struct Module {
  std::uint8_t* called;      // by number, see Called
  const char* outside;       // their names, each with a zero behind it
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
// Not of what is unseen: a loop that polls, and is explored round by round as its counter lives on.
inline constexpr std::string_view counted_loop = "!counted";

// The annotation of functions by which <heddle/heddle.h> tells the pass that their races are
// benign.
inline constexpr std::string_view benign_annotation = "heddle benign races";

// Before each function of an instrumented module that others can see: tells bodies with hooks from
// those without, where the linker had several to choose from.
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
// Loops that might only wait: in the header `uint64_t e = __heddle_loop(bool enters, const Site*)`,
// which says whether the loop is entered there or goes round; on each way back to it
// `__heddle_spin(e, const Site*)`, where e is the number of an earlier round of this loop that
// began with the same local values as the next one, or ~0 if none is known. The pass promises that
// nothing else is carried from one round to the next but what the hooks are told of. So if nothing
// happened since (the number is still e), the rounds since then would be repeated, the same, until
// another thread changes what they read.
//
// Loops that might only wait and that are left by counting, too: in the header
// `uint64_t e = __heddle_round(bool enters, const Site*)`, on each way back to it
// `__heddle_again(r, e, const Site*)`, and wherever the loop is left `__heddle_left(const Site*)`.
// Here r is as for __heddle_spin, and e is the number of this round. The pass promises that each
// round that comes back only reads, and that but for the counting it does what the one before did
// if it reads the same.
//
// In such loops, `__heddle_keep(void*, uint64_t size)` comes before a write to a local variable
// that no other thread can see, if it may be there when the next round begins. Before the hooks in
// the header and on each way back, `__heddle_forget(void*, uint64_t size)`: what is in this
// variable has no meaning there, as each round begins to use it anew.
//
// Calls of pthread_barrier_wait whose result nobody uses become calls of
// `int __heddle_barrier_wait(pthread_barrier_t*)`: who is the serial one need not be explored.
// Those of syscall likewise: `long __heddle_syscall(long, ...)`.
//
// Functions of libraries that access memory by themselves, see functions.h: before a call of one,
// `void __heddle_before(const Use*, uint32_t count, const uint64_t* arguments)` or, if it has a
// hook of its own, __heddle_before_NAME with the same arguments. Functions that the runtime has
// tell by themselves what they do; `void __heddle_private(uint32_t)` before a call tells them which
// of its arguments point to what no other thread can see.

}  // namespace heddle::abi
