// An operation that a thread has announced: what the scheduler needs to know whether the thread can
// continue, and what to record when it does. The kinds are the rows of abi/operations.def.
#pragma once

#include <cstdint>

#include "runtime/abi/operations.h"

namespace heddle::runtime {

using abi::OpKind;

struct Op {
  OpKind kind;
  bool timed = false;      // may time out, at the time `deadline`
  bool limited = false;    // has a time limit that is assumed never to expire
  bool told = false;       // other steps record what is done to the memory of the object
  bool ordered = false;    // a store that matters to other writes, whether it is seen or not
  bool plain = false;      // an access that is a step only as far as its memory is visible
  std::uint8_t group = 0;  // of the threads that wait on a futex, by their masks
  std::uint16_t alternatives = 1;
  void* object = nullptr;
  // The mutex of a wait; or what else is used: a condition, or an object that a thread which leaves
  // it still accesses.
  const void* second = nullptr;
  std::uint64_t size = 0;  // of memory; for the generation of a barrier, the incarnation
  // What a compare-exchange or a futex expects; a thread; a generation; how many a signal is for.
  // What a compare-exchange of more than eight bytes expects is at `second`.
  std::uint64_t value = 0;
  std::uint64_t deadline = 0;
};

}  // namespace heddle::runtime
