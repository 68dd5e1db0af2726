// The parts of the state that threads share besides memory, see hidden.hpp: each has an address.
#pragma once

#include <cstdint>

#include "runtime/abi/wire.h"

namespace heddle::runtime {

// As many keys as the C library has (PTHREAD_KEYS_MAX); the signals of the system are 1 to 64.
inline constexpr unsigned max_keys = 1024, max_signals = 65;
// See files.hpp. A thread that opens more files uses names twice: then more orders are explored
// than need be.
inline constexpr unsigned files_of_no_thread = 4, files_of_thread = 16;

using Part = std::uint64_t;

struct Hidden {
  Part exiting;  // which thread, if any
  Part functions_at_exit, functions_at_quick_exit;
  Part numbers_of_keys;
  Part random_numbers;
  Part keys[max_keys];
  Part threads[abi::max_threads];     // joined, detached
  Part signals[abi::max_threads];     // blocked, pending
  Part properties[abi::max_threads];  // name, priority, processors
  Part ends[abi::max_threads];        // whether they have ended
  Part cancellations[abi::max_threads];
  Part signal_handlers[max_signals];
  Part files[files_of_no_thread + abi::max_threads * files_of_thread];
};
extern Hidden hidden;

inline bool is_hidden(std::uint64_t address) {
  return address - reinterpret_cast<std::uint64_t>(&hidden) < sizeof hidden;
}

}  // namespace heddle::runtime
