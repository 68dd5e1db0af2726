#include "runtime/api/last_thread.hpp"

#include <bit>
#include <cstdint>

#include "runtime/api/exits.hpp"
#include "runtime/kernel/current.hpp"
#include "runtime/kernel/scheduler.hpp"
#include "runtime/kernel/thread_life.hpp"
#include "runtime/kernel/visits.hpp"

namespace heddle::runtime {
namespace {

using Status = Fiber::Status;

// Threads that no thread has joined, if all except the given one have ended.
std::uint64_t unjoined(const Fiber* live) {
  std::uint64_t out = 0;
  bool all = true;
  for_threads([&](const Fiber& f) {
    all = all && (&f == live || f.status == Status::ended);
    if (!f.joined) out |= std::uint64_t{1} << f.id;
  });
  return all ? out : 0;
}

Fiber& lowest(std::uint64_t threads) {
  return fiber(static_cast<unsigned>(std::countr_zero(threads)));
}

void exit_as_last(Fiber*) {
  be_visited();
  exit_program(0);
}

// When a thread ends is not a step: so any of those that no thread joined can have been the last.
// Which one it was is a choice, made by the one that every run with these steps has: the lowest.
void choose_last(Fiber* self) {
  be_visited();
  std::uint64_t rest = unjoined(self);
  for (unsigned k = choose(static_cast<unsigned>(std::popcount(rest))); k > 0; --k)
    rest &= rest - 1;
  Fiber& last = lowest(rest);
  if (&last == self) exit_program(0);
  bring_back(last, exit_as_last);
  finish_thread();
}

}  // namespace

void exit_after_last() {
  const std::uint64_t last = does_something_at_exit() ? unjoined(nullptr) : 0;
  if (last != 0) bring_back(lowest(last), choose_last);
}

}  // namespace heddle::runtime
