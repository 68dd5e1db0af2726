#include "runtime/updates.hpp"

#include <cstring>

#include "runtime/ending.hpp"

namespace heddle::runtime {

void count_effect(Fiber& self) {
  self.effects.count();
  if (is_trying()) try_effect();
}

// What is wider than can be kept counts at once.
void note_update(Fiber& self, const void* address, std::uint64_t size, bool plainly) {
  if (size > sizeof self.updated_from) return count_effect(self);
  self.updated = address;
  self.updated_size = static_cast<std::uint32_t>(size);
  self.updated_plainly = plainly;
  self.updated_from[0] = self.updated_from[1] = 0;
  std::memcpy(self.updated_from, address, size);
}

// A plain write can be undone by another: who sees what was there in between has synchronised with
// the thread, and that counts.
void detail::settle_update(Fiber& self) {
  const char* address = static_cast<const char*>(self.updated);
  std::uint64_t now[2] = {0, 0};
  std::memcpy(now, address, self.updated_size);
  self.updated = nullptr;
  for (unsigned k = 0; k < 2; ++k) {
    if (now[k] == self.updated_from[k]) continue;
    if (!self.updated_plainly) return count_effect(self);
    self.effects.change(address + 8 * k, self.updated_from[k], now[k]);
  }
}

}  // namespace heddle::runtime
