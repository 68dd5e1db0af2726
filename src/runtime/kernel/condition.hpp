// Condition variables and futexes: which threads wait, and what signals left for them.
//
// A signal leaves a token for the threads that wait at that moment, unless there is one for each; a
// broadcast leaves as many as are missing. Which thread takes a token depends on the schedule. The
// same semantics as in model/condition.hpp, where the numbers are explained.
#pragma once

#include <cstdint>

#include "runtime/abi/wire.h"
#include "runtime/kernel/savepoint.hpp"
#include "runtime/kernel/state_hash.hpp"

namespace heddle::runtime {

class Condition {
 public:
  void clear() { numbered_ = waiting_ = token_count_ = 0; }
  // REQUIRES: the thread does not wait yet.
  void wait(unsigned thread);
  // Wakes at most `most`. Returns how many more can be woken than before.
  unsigned signal(std::uint64_t most);
  unsigned broadcast() { return signal(abi::max_threads); }
  // The number of a signal or broadcast that comes now; 0 if it leaves nothing.
  std::uint32_t next_number() const { return is_awaited() ? numbered_ + 1 : 0; }
  // Whether a thread waits for which there is no token.
  bool is_awaited() const { return missing() != 0; }
  bool can_wake(unsigned thread) const;
  // What a thread that waits takes.
  struct Wake {
    std::uint32_t number;  // of the signal that left the token; the highest number if there is no
                           // token
    std::uint32_t since;
    bool for_all;  // it left one for each of the threads that waited
  };
  // REQUIRES, for these and for give_up: the thread waits; for wake, can_wake.
  Wake next_wake(unsigned thread) const;
  void wake(unsigned thread);
  // The thread stops waiting, without having been woken.
  void give_up(unsigned thread);

  // As a part of the state, under this name. The engine knows signals by their numbers: these are a
  // part of it, too.
  void digest(const void* address, std::uint64_t group, StateHash& into) const;

 private:
  struct Waiter {
    std::uint32_t since;
    std::uint8_t thread;
  };
  struct Token {
    std::uint32_t number;
    std::uint8_t left;
    bool for_all;
  };
  unsigned missing() const;
  unsigned find(unsigned thread) const;
  unsigned token_for(unsigned waiter) const;
  void remove(unsigned waiter);

  std::uint32_t numbered_;
  std::uint8_t waiting_, token_count_;
  Waiter waiters_[abi::max_threads];
  Token tokens_[abi::max_threads];  // oldest first
};

// The condition at this address, made when it is first used in a run. Threads that wait on a futex
// with masks that have no bit in common are in groups of their own.
Condition& condition_at(const void* address, std::uint8_t group = 0);
// The group of a mask. Masks that have some bits in common, and not all, are not supported.
std::uint8_t group_of(const void* futex, std::uint32_t mask);
void clear_conditions();
void save_conditions(Savepoint& into);
void digest_conditions(StateHash& into);

}  // namespace heddle::runtime
