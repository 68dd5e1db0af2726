#include "runtime/kernel/incarnations.hpp"

#include "runtime/kernel/current.hpp"
#include "runtime/kernel/run_table.hpp"

namespace heddle::runtime {
namespace {

struct Incarnations {
  std::uint64_t key;
  std::uint32_t count;
};
RunTable<Incarnations> incarnations;

}  // namespace

// Grows where a run initialises more than half as many objects.
void set_up_incarnations() { incarnations.set_up(1 << 8); }
void clear_incarnations() { incarnations.clear(); }
void save_incarnations(Savepoint& into) { incarnations.save(into); }

void digest_incarnations(StateHash& into) {
  incarnations.for_all([&](const Incarnations& i) {
    if (i.count != 0) into.add_words(StateHash::Of::incarnation, i.key, i.count);
  });
}

std::uint32_t incarnation_of(const void* object) {
  if (!is_running()) return 0;
  const Incarnations* known = incarnations.find(reinterpret_cast<std::uint64_t>(object));
  return known == nullptr ? 0 : known->count;
}
std::uint32_t next_incarnation(const void* object) {
  if (!is_running()) return 0;
  return ++incarnations.at(reinterpret_cast<std::uint64_t>(object)).count;
}

}  // namespace heddle::runtime
