#include "model/stretch.hpp"

#include <algorithm>

#include "base/hash.hpp"

namespace heddle {
namespace {

std::uint64_t hash_of_acts(std::span<const Act> acts) {
  std::uint64_t h = acts.size();
  for (const Act& a : acts) {
    h = mix(h, static_cast<std::uint64_t>(a.kind) << 56 | std::uint64_t{a.to} << 24 | a.from);
    if (a.kind != Act::Kind::access) continue;
    h = mix(mix(h, a.what.granule), a.what.place);
    h = mix(h, std::uint64_t{a.what.granules} << 32 | a.what.thread);
    h = mix(h, std::uint64_t{a.what.bytes} << 8 | (a.what.ends ? 4U : 0U) |
                   (a.what.writes ? 2U : 0U) | (a.what.atomic ? 1U : 0U));
  }
  return h;
}

}  // namespace

StretchId Stretches::intern(std::span<const Act> acts) {
  if (acts.empty()) return empty;
  const std::uint64_t hash = hash_of_acts(acts);
  const auto found =
      table_.find(hash, [&](std::uint32_t id) { return std::ranges::equal(this->acts(id), acts); });
  if (found != IndexTable::none) return found;
  const auto id = static_cast<StretchId>(size());
  acts_.insert(acts_.end(), acts.begin(), acts.end());
  ends_.push_back(static_cast<std::uint32_t>(acts_.size()));
  table_.add(hash, id);
  return id;
}

}  // namespace heddle
