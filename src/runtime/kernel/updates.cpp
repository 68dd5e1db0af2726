#include "runtime/kernel/updates.hpp"

#include <cstring>

#include "runtime/kernel/current.hpp"
#include "runtime/kernel/trying.hpp"
#include "runtime/kernel/value.hpp"

namespace heddle::runtime {
namespace {

// Bytes that are compared: all scalars and small structures. Wider writes count as effects, so that
// loops with them are repeated, and nothing is lost.
constexpr std::uint64_t most = 256;
constexpr std::uint64_t first_page = 4096;  // where the program is to fault, not the runtime

// What is wider than two words is represented by a hash.
std::uint64_t hash_of(const char* from, std::uint64_t size) {
  std::uint64_t hash = size;
  for (std::uint64_t k = 0; k < size; k += 8) {
    hash = (hash ^ value_at(from + k, size - k < 8 ? size - k : 8)) * 0x9e3779b97f4a7c15ULL;
    hash ^= hash >> 29;
  }
  return hash;
}

struct Content {
  std::uint64_t words[2];
};

Content content_of(const void* address, std::uint64_t size) {
  const char* from = static_cast<const char*>(address);
  if (size <= 8) return {{value_at(from, size), 0}};
  if (size <= 16) return {{value_at(from, 8), value_at(from + 8, size - 8)}};
  return {{hash_of(from, size), 0}};
}

}  // namespace

void count_effect(Fiber& self) {
  self.effects.count();
  if (is_trying()) try_effect();
}

// What is wider than can be compared counts at once.
void note_update(Fiber& self, const void* address, std::uint64_t size, Fiber::Undone undone) {
  if (size > most || reinterpret_cast<std::uint64_t>(address) < first_page)
    return count_effect(self);
  Content from{};
  if (undone == Fiber::Undone::no)
    from = content_of(address, size);
  else if (!begins_to_compare(self.id, address))
    from.words[0] = Effects::content(address, size);
  self.updated = address;
  self.updated_size = static_cast<std::uint32_t>(size);
  self.update_undone = undone;
  std::memcpy(self.updated_from, from.words, sizeof from.words);
}

void detail::settle_update(Fiber& self) {
  const void* address = self.updated;
  self.updated = nullptr;
  if (self.update_undone == Fiber::Undone::no) {
    const Content now = content_of(address, self.updated_size);
    if (std::memcmp(now.words, self.updated_from, sizeof now.words) != 0) count_effect(self);
    return;
  }
  const std::uint64_t now = Effects::content(address, self.updated_size);
  if (now == self.updated_from[0]) return;
  self.effects.change(address, self.updated_size, self.updated_from[0], now,
                      self.update_undone == Fiber::Undone::seen);
}

}  // namespace heddle::runtime
