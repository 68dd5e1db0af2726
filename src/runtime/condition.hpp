// Condition variables and futexes: who waits, and what signals left for them.
//
// A signal leaves a token for those that wait at that moment, unless all of them have one; which of
// them takes it is a matter of schedule. A broadcast releases all that wait. The same semantics as
// in core/enabled.cpp and interp/machine_steps.cpp.
#pragma once

#include <cstdint>

#include "runtime/savepoint.hpp"
#include "runtime/wire.h"

namespace heddle::runtime {

class Condition {
 public:
  void wait(unsigned thread) { waiters_[waiting_++] = {static_cast<std::uint8_t>(thread), false}; }
  // How many more can be woken than before.
  unsigned signal();
  unsigned broadcast();
  // Somebody waits for whom there is nothing.
  bool is_awaited() const { return unreleased() > token_count_; }
  bool can_wake(unsigned thread) const;
  bool is_released(unsigned thread) const;
  void wake(unsigned thread);
  // The thread waits no longer, without having been woken.
  void give_up(unsigned thread);

 private:
  struct Waiter {
    std::uint8_t thread;
    bool released;
  };
  unsigned unreleased() const;
  unsigned find(unsigned thread) const;
  unsigned token_for(unsigned waiter) const;
  void remove(unsigned waiter);

  Waiter waiters_[abi::max_threads];       // in order of arrival
  std::uint8_t tokens_[abi::max_threads];  // each for the first so many of them
  std::uint8_t waiting_, token_count_;
};

// The condition at this address, made when it is first used in a run. Those who wait on a futex
// with masks that have nothing in common are in groups of their own.
Condition& condition_at(const void* address, std::uint8_t group = 0);
// The group of a mask. Masks of which some bits are the same, and others not, are not supported.
std::uint8_t group_of(const void* futex, std::uint32_t mask);
void clear_conditions();
void save_conditions(Savepoint& into);

}  // namespace heddle::runtime
