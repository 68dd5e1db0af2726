#include "fuzz/kinds.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "fuzz/kinds_tables.hpp"

namespace heddle::fuzz {
namespace {

const Tables& tables() {
  static const Tables made = [] {
    Tables t;
    add_memory(t);
    add_locks(t);
    add_waiting(t);
    add_counting(t);
    add_others(t);
    add_messages(t);
    return t;
  }();
  return made;
}

}  // namespace

std::span<const Object> objects() { return tables().objects; }
std::span<const Kind> kinds() { return tables().kinds; }

std::size_t kind_named(std::string_view name) {
  const auto found = std::ranges::find(tables().kinds, name, &Kind::name);
  HEDDLE_CHECK(found != tables().kinds.end());
  return static_cast<std::size_t>(found - tables().kinds.begin());
}

}  // namespace heddle::fuzz
