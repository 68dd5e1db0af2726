#include "interp/families.hpp"

#include <algorithm>
#include <vector>

namespace heddle::interp {

std::span<const Family> families() {
  static const std::vector<Family> all = [] {
    std::vector<Family> rows;
    for (const auto theme : {example_families(), observer_families(), atomic_families(),
                             task_families(), classic_families(), message_families()})
      rows.insert(rows.end(), theme.begin(), theme.end());
    return rows;
  }();
  return all;
}

const Family* find_family(std::string_view name) {
  const auto all = families();
  const auto found = std::ranges::find(all, name, &Family::name);
  return found == all.end() ? nullptr : &*found;
}

}  // namespace heddle::interp
