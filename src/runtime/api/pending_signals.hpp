// Signals that have been sent and not been received yet: those of one thread, or those of the
// process. A real-time signal is pending as often as it was sent; of the others, the first counts.
#pragma once

#include <signal.h>

#include <cstdint>

#include "runtime/kernel/savepoint.hpp"

namespace heddle::runtime {

using SignalSet = std::uint64_t;  // a bit for each, the first for signal 1

constexpr SignalSet signal_bit(int number) { return SignalSet{1} << (number - 1); }

class PendingSignals {
 public:
  SignalSet numbers() const { return numbers_; }

  void add(const siginfo_t& info);
  // Removes and returns the lowest of the wanted signals, and the first of that number. REQUIRES:
  // one of them is pending.
  siginfo_t take(SignalSet wanted);
  void discard(int number);
  void clear() { numbers_ = count_ = 0; }

  void save(Savepoint& into);

 private:
  static constexpr unsigned max = 64;
  void remove(unsigned at);

  SignalSet numbers_ = 0;
  std::uint64_t count_ = 0;
  siginfo_t infos_[max]{};  // in the order in which they were sent
};

}  // namespace heddle::runtime
