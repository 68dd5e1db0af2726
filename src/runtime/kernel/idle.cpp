#include "runtime/kernel/idle.hpp"

#include <iterator>

#include "runtime/kernel/fiber.hpp"

namespace heddle::runtime {

// An attempt is identified by where it is made, on which lock, and by what the thread has done
// before. If there are more than are kept, the oldest is forgotten, and counts anew.
bool sees_for_the_first_time(Fiber& self, const void* lock) {
  Fiber::Idle& idle = self.idle;
  if (idle.effects != self.effects.counted()) {
    idle.effects = self.effects.counted();
    idle.next = 0;
    for (Fiber::Idle::Failure& f : idle.failures) f = {};
  }
  for (Fiber::Idle::Failure& f : idle.failures)
    if (f.lock == lock && f.site == self.site) {
      const bool repeats = f.rounds != idle.rounds;
      f.rounds = idle.rounds;
      return !repeats;
    }
  idle.failures[idle.next] = {lock, self.site, idle.rounds};
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

// What failed before the last effect does not matter any more.
void digest_idle(const Fiber& f, StateHash& into) {
  const Fiber::Idle& idle = f.idle;
  if (idle.effects != f.effects.counted()) return;
  for (std::size_t k = 0; k < std::size(idle.failures); ++k)
    if (const Fiber::Idle::Failure& one = idle.failures[k]; one.lock != nullptr)
      into.add_words(StateHash::Of::failure, f.id, k, one.lock, one.site, one.rounds == idle.rounds,
                     idle.next);
}

}  // namespace heddle::runtime
