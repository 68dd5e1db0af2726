#include "runtime/api/pending_signals.hpp"

#include <bit>
#include <cstring>

#include "runtime/kernel/stop.hpp"

namespace heddle::runtime {
namespace {
constexpr int first_of_real_time = 32;  // as the system numbers them
}

void PendingSignals::add(const siginfo_t& info) {
  const SignalSet bit = signal_bit(info.si_signo);
  if (info.si_signo < first_of_real_time && (numbers_ & bit) != 0) return;
  if (count_ == max) unsupported("more than 64 signals that are pending for one thread");
  numbers_ |= bit;
  infos_[count_++] = info;
}

siginfo_t PendingSignals::take(SignalSet wanted) {
  const int number = std::countr_zero(numbers_ & wanted) + 1;
  unsigned at = 0;
  while (infos_[at].si_signo != number) ++at;
  const siginfo_t out = infos_[at];
  remove(at);
  return out;
}

void PendingSignals::discard(int number) {
  for (unsigned k = static_cast<unsigned>(count_); k-- > 0;)
    if (infos_[k].si_signo == number) remove(k);
}

void PendingSignals::remove(unsigned at) {
  const int number = infos_[at].si_signo;
  --count_;
  std::memmove(infos_ + at, infos_ + at + 1, (count_ - at) * sizeof infos_[0]);
  numbers_ &= ~signal_bit(number);
  for (unsigned k = 0; k < count_; ++k) numbers_ |= signal_bit(infos_[k].si_signo);
}

void PendingSignals::save(Savepoint& into) {
  if (count_ == 0) return;
  into.keep(numbers_);
  into.keep(count_);
  into.keep(infos_, count_ * sizeof infos_[0]);
}

}  // namespace heddle::runtime
