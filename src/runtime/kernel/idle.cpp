#include "runtime/kernel/idle.hpp"

#include <iterator>

#include "runtime/kernel/fiber.hpp"

namespace heddle::runtime {

// An attempt is identified by where it is made, on which lock, and by what the thread has done
// before. If there are more than are kept, the oldest is forgotten, and counts anew.
bool sees_for_the_first_time(Fiber& self, const void* lock) {
  Fiber::Idle& idle = self.idle;
  const std::uint64_t effects = self.effects.counted();
  for (Fiber::Idle::Failure& f : idle.failures)
    if (f.lock == lock && f.site == self.site && f.effects == effects) {
      const bool repeats = f.rounds != idle.rounds;
      f.rounds = idle.rounds;
      return !repeats;
    }
  idle.failures[idle.next] = {lock, self.site, effects, idle.rounds};
  idle.next = (idle.next + 1) % static_cast<std::uint32_t>(std::size(idle.failures));
  return true;
}

bool must_go_round(Fiber& self) {
  Fiber::Idle& idle = self.idle;
  const bool seen = idle.times_seen != self.effects.times_seen();
  idle.times_seen = self.effects.times_seen();
  ++idle.rounds;
  return seen;
}

}  // namespace heddle::runtime
