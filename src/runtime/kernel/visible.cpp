#include "runtime/kernel/visible.hpp"

#include "runtime/kernel/granules.hpp"
#include "runtime/wire/channel.hpp"

namespace heddle::runtime {

// Where parts of a granule overlap in too many ways, all of it becomes one part.
struct detail::VisibleGranule {
  std::uint64_t key;  // a granule
  std::uint8_t mask_count;
  std::uint8_t masks[15];  // all of a granule, its halves, quarters and bytes
};

constinit detail::VisibleMemory detail::visible{};

namespace {

using detail::visible;
using detail::VisibleGranule;

void add(std::uint64_t memory) {
  if (memory == abi::at_exit) {
    visible.at_exit = true;
    return;
  }
  VisibleGranule& v = visible.table.at(memory >> abi::mask_bits);
  if (v.mask_count == sizeof v.masks) {
    v.mask_count = 1;
    v.masks[0] = 0xff;
  }
  if (v.masks[0] != 0xff) v.masks[v.mask_count++] = static_cast<std::uint8_t>(memory);
}

}  // namespace

void set_visible() {
  const abi::Settings& s = settings();
  visible.any = s.visible_count != 0 || s.all_visible != 0;
  visible.at_exit = false;
  if (s.visible_count == 0) return;
  if (!visible.set_up) visible.table.set_up(1 << 10);  // and grows
  visible.set_up = true;
  visible.table.clear();
  for (std::uint32_t k = 0; k < s.visible_count; ++k) add(s.visible[k]);
}

bool is_exit_visible() { return visible.at_exit; }

bool is_visible(const void* address, std::uint64_t size) {
  if (!any_visible()) return false;
  if (settings().all_visible != 0) return true;
  bool found = false;
  for_visible(address, size, [&](std::uint64_t) { found = true; });
  return found;
}

namespace {
bool is_in_table(std::uint64_t memory) {
  const VisibleGranule* v =
      settings().visible_count == 0 ? nullptr : visible.table.find(memory >> abi::mask_bits);
  if (v == nullptr) return false;
  for (unsigned k = 0; k < v->mask_count; ++k)
    if ((v->masks[k] & memory & 0xff) != 0) return true;
  return false;
}
}  // namespace

bool is_visible(std::uint64_t memory) {
  return any_visible() && (settings().all_visible != 0 || is_in_table(memory));
}

bool is_learned(const void* address, std::uint64_t size) {
  bool found = false;
  for_granules(address, size, [&](std::uint64_t granule, std::uint8_t mask) {
    found = found || is_in_table(granule << abi::mask_bits | mask);
  });
  return found;
}

void for_visible(const void* address, std::uint64_t size, VisitVisible visit, void* what) {
  const bool all = settings().all_visible != 0;
  if (!all && settings().visible_count == 0) return;
  for_granules(address, size, [&](std::uint64_t granule, std::uint8_t mask) {
    if (all) return visit(what, granule << abi::mask_bits | mask);
    const VisibleGranule* v = visible.table.find(granule);
    if (v == nullptr) return;
    for (unsigned k = 0; k < v->mask_count; ++k)
      if ((v->masks[k] & mask) != 0) visit(what, granule << abi::mask_bits | v->masks[k]);
  });
}

}  // namespace heddle::runtime
