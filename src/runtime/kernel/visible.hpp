// The memory whose plain accesses are events: where a race has been found, and races are to be
// explored.
#pragma once

#include <cstdint>

#include "runtime/kernel/run_table.hpp"

namespace heddle::runtime {

namespace detail {
struct VisibleGranule;
// As the settings say.
struct VisibleMemory {
  bool any;
  bool at_exit;
  bool set_up;  // the table is
  RunTable<VisibleGranule> table;
};
extern VisibleMemory visible;
}  // namespace detail
// Whether there is such memory at all; most programs have none.
inline bool any_visible() { return detail::visible.any; }

// As the settings say.
void set_visible();

// Whether the end of the process looks at what is visible, as an event.
bool is_exit_visible();

// Whether some of this memory is visible.
bool is_visible(const void* address, std::uint64_t size);

// The same for memory that has been learned to be visible, not because all of it is.
bool is_learned(const void* address, std::uint64_t size);

// Whether some of these bytes of a granule are visible; they are given as in an access.
bool is_visible(std::uint64_t memory);

// Calls visit(granule and mask) for each part of the range that is visible.
using VisitVisible = void (*)(void* what, std::uint64_t memory);
void for_visible(const void* address, std::uint64_t size, VisitVisible visit, void* what);
template <typename Visit>
void for_visible(const void* address, std::uint64_t size, Visit visit) {
  for_visible(
      address, size, [](void* v, std::uint64_t memory) { (*static_cast<Visit*>(v))(memory); },
      &visit);
}

}  // namespace heddle::runtime
