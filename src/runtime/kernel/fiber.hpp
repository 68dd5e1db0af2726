// The threads of the program under test: fibers in one thread of the system, each with a stack and
// thread-local storage of its own, at addresses that depend on its number alone.
#pragma once

#include <signal.h>

#include <cstdint>

#include "runtime/abi/abi.h"
#include "runtime/abi/layout.h"
#include "runtime/abi/wire.h"
#include "runtime/kernel/effects.hpp"
#include "runtime/kernel/objects.hpp"
#include "runtime/kernel/op.hpp"
#include "runtime/kernel/savepoint.hpp"
#include "runtime/sys/mapping.hpp"

namespace heddle::runtime {

// The time at which the clock of every run begins: some time in 2024.
inline constexpr std::uint64_t clock_at_start = 1'720'000'000'000'000'000;

struct Fiber {
  enum class Status : std::uint8_t {
    absent,
    live,
    ended,
    failed,    // stopped by a finding
    assuming,  // stopped by an assumption that does not hold
    spinning,  // stopped in a loop that waits
  };

  enum class Serial : std::uint8_t { untold, no, yes };

  void* stack_pointer;
  // As of when it last came to wait for its turn, see turn.hpp: what is above this address on its
  // stack; and below it, first of all, rbx, rbp and r12 to r15.
  std::uint64_t* entered;
  std::uint64_t& entered_register(unsigned k) const { return entered[-1 - static_cast<int>(k)]; }
  std::uint64_t fs_base;
  std::uint32_t sse_control;  // rounding and the like
  std::uint16_t x87_control;
  unsigned id;
  Status status;
  Op pending;
  const abi::Site* site;  // the last that it passed
  const abi::Site* created_at;

  std::uint32_t moved_at;  // how many events there were when it took its last step
  std::uint32_t chosen;    // how many choices it has made
  std::uint32_t taken;     // how many events of this run are its own; 0 if it is absent

  void* (*function)(void*);
  void* argument;
  void* result;
  unsigned created;          // how many threads it has created
  std::uint64_t has_joined;  // threads that it has joined, and those that they had joined, since
                             // its last step
  unsigned awaited_by;       // the number of the thread that waits to join it, + 1
  bool detached, joined;
  bool woke_spuriously;

  // For the barrier that it was last at: which threads left with it, see Barrier.
  struct Generation {
    std::uint64_t arrivals, lookers;
    Serial serial;
    bool complete;  // all have arrived
  } generation;

  // An update made since the thread last continued: whether it changed anything is found out by
  // comparing, before another thread continues.
  const void* updated;
  std::uint64_t updated_from[2];
  std::uint32_t updated_size;
  // Whether another write may undo it, and whether other threads can see it meanwhile.
  enum class Undone : std::uint8_t { no, seen, unseen } update_undone;
  std::uint32_t in_atomic;  // how deeply nested
  // The atomic block that it is in. Its alternative is a number whose digits are the choices, the
  // first one as the lowest digit; the digit of a choice among n has base n.
  struct Block {
    std::uint64_t rest;    // of the alternative: the choices still to be made
    std::uint64_t chosen;  // so far, and the weight of the next digit
    std::uint64_t weight;
    bool changed;  // something that other threads can see
  } block;
  std::uint32_t private_arguments;  // by bits, of the function that it is about to call
  // The loop that it spins in, and its frame: a function that is called again has the same loops.
  const abi::Site* loop;
  const void* loop_frame;

  // See cancellation.hpp.
  struct Cancel {
    Semaphore tokens;             // one, when it has been cancelled
    bool asked;                   // likewise
    bool begun;                   // it is being cancelled: it is on its way to its end
    bool unexpected;              // it waits for something else
    bool disabled, asynchronous;  // as it has set it
  } cancel;

  abi::Bound bound;       // that it has reached
  Range touched;          // of its stack, by other threads
  stack_t signal_stack;   // that it asked for
  void* cleanup;          // the last that pthread_cleanup_push left, in C
  std::uint64_t choices;  // how many random numbers and the like it has taken
  Effects effects;

  // The sizes of the arrays below were chosen: more than loops of real programs need. Where they
  // are exceeded, rounds are explored one by one, and nothing is lost.
  //
  // The rest is empty in most threads, and is then not kept by savepoints. Here: loops that have
  // gone round without an effect since this number of effects, of this epoch, and how often.
  struct Rounds {
    std::uint64_t effects, epoch;
    std::uint32_t loops;
    std::uint32_t counts[4];
    const abi::Site* sites[4];
    bool empty() const { return loops == 0; }
  } rounds;
  // For a loop that is left by counting, see gluing.hpp: what events of this round have read.
  struct Round {
    struct Read {
      const void* address;
      std::uint32_t size;
      char value[16];
    };
    bool open;
    std::uint32_t events;  // or more than are kept
    Read reads[8];
  } round;
  // For rounds without an effect, see idle.hpp.
  struct Idle {
    struct Failure {  // of an attempt to acquire a lock
      const void* lock;
      const abi::Site* site;
      std::uint64_t rounds;
    };
    std::uint64_t rounds;
    std::uint64_t times_seen;
    std::uint64_t effects;  // that it had counted: there were failures since
    Failure failures[8];
    std::uint32_t next;
    bool empty() const { return rounds == 0 && times_seen == 0 && failures[0].lock == nullptr; }
  } idle;
  // For polling the clock, see polling.hpp.
  struct Polling {
    struct Mark {           // a point at which time had passed
      std::uint64_t time;   // of the thread's effects
      std::uint64_t world;  // what all threads had done
      std::uint32_t waits;
    };
    std::uint64_t effects;   // since then, it polls for nothing but time
    std::uint64_t hopeless;  // if this is still what all threads have done, its waits lead to
                             // nothing
    std::uint64_t jump;      // by which its next wait takes longer
    const abi::Site* loop;   // in which only time passes, and its place on the stack
    const void* frame;
    std::uint64_t round_began;  // at this time of its effects
    std::uint32_t looks, rounds, waits;
    std::uint32_t next;
    Mark marks[16];
    bool empty() const { return next == 0; }
  } polling;
};

namespace detail {
struct Fibers {
  Fiber all[abi::max_threads];
  Fiber base;
  // These outlive runs.
  char* compared_from[abi::max_threads];  // by thread: see begins_to_compare
  char* used_from[abi::max_threads];      // by thread: see stack_to_clear
  bool clears_stacks;
  std::uint64_t switches;
  bool sets_fs_base;  // by an instruction; older kernels do not allow it, and take a system call
};
extern Fibers fibers;
}  // namespace detail
inline Fiber& fiber(unsigned id) { return detail::fibers.all[id]; }

// Once, when the program is loaded. REQUIRES: the image's list of thread-local segments.
void set_up_fibers();

// Makes the fiber ready to begin in `entry`, on an empty stack and with fresh thread-local storage;
// the control registers of the processor are as they are now.
void prepare_fiber(Fiber& f, void (*entry)(Fiber*));
// The same with the thread-local storage that it has, and without clearing the stack, which may be
// in use: the caller does not return to where it was called from.
void prepare_stack(Fiber& f, void (*entry)(Fiber*));
// Clears the part of the stack that is compared, see below. REQUIRES: it is not in use.
void clear_stack(const Fiber& f);

// Whether stacks are cleared wherever they are not in use: where states are compared.
void set_clearing_stacks(bool on);
inline bool clears_stacks() { return detail::fibers.clears_stacks; }
// For a thread that is about to leave the scheduler, and calls this on its own stack: from which
// address on the stack has ever been used, as far as can be seen. Null if it is not to be cleared.
void* stack_to_clear(unsigned id);

// Saves it with its thread-local storage and, if it can still continue, its stack. REQUIRES: before
// that is put back, the fiber is cleared (clear_fiber).
void save_fiber(Fiber& f, bool can_continue, Savepoint& into);
void clear_fiber(Fiber& f);

// The host fiber, on which the process began: code on it belongs to no thread of the program.
Fiber& base_fiber();

// Leaves `from` and enters `to`; returns when `from` is entered again.
void switch_fibers(Fiber& from, Fiber& to);
// How often that has happened, in this run and in other runs.
inline std::uint64_t switch_count() { return detail::fibers.switches; }

inline std::uint64_t offset_on_stacks(const void* address) {
  return reinterpret_cast<std::uint64_t>(address) - abi::stacks_begin;
}
inline bool is_on_stack(unsigned id, const void* address) {
  return offset_on_stacks(address) / abi::stack_size == id;
}
// What a thread writes to its own stack is compared with what was there, which must not be what an
// earlier run left. So from this address upwards, for each thread, the stack is cleared when a run
// begins, and is kept by savepoints, whether it is in use or not. True: the address is now above
// it, and was not before; what is there means nothing.
namespace detail {
bool lower_compared(unsigned id, const void* address);
}
inline bool begins_to_compare(unsigned id, const void* address) {
  return address < detail::fibers.compared_from[id] && detail::lower_compared(id, address);
}
// REQUIRES: the address is on a stack.
inline unsigned stack_owner(const void* address) {
  return static_cast<unsigned>(offset_on_stacks(address) / abi::stack_size) % abi::max_threads;
}
Range stack_of(unsigned id);
// Whether the address is on the guard page of a fiber's stack.
bool is_stack_overflow(const void* address);

}  // namespace heddle::runtime
