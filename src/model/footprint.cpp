#include "model/footprint.hpp"

#include <algorithm>

#include "base/hash.hpp"

namespace heddle {
namespace {

Mode join_memory(Mode x, Mode y) {
  if (x == y) return x;
  if (x == Mode::alloc || y == Mode::alloc) return Mode::alloc;
  if (x == Mode::free || y == Mode::free) return Mode::free;
  return Mode::update;
}

// Of what is counted, each counts: two posts of a semaphore, a lock that is taken again.
bool can_join(const Access& x, const Access& y) {
  const ObjectClass c = class_of(x.mode);
  if (x == y && c != ObjectClass::semaphore && c != ObjectClass::mutex && c != ObjectClass::rwlock)
    return true;
  return x.location == y.location && c == ObjectClass::memory;
}

}  // namespace

Footprints::Footprints(const Dependence& dependence) : dependence_(&dependence) { intern({}); }

FootprintId Footprints::intern(std::span<const Access> accesses, Varies varies) {
  joined_.clear();
  for (const Access& a : accesses) {
    auto same =
        std::find_if(joined_.begin(), joined_.end(), [&](auto& b) { return can_join(a, b); });
    if (same == joined_.end())
      joined_.push_back(a);
    else
      same->mode = join_memory(same->mode, a.mode);
  }
  // What a step does comes first.
  const auto telling = std::ranges::stable_partition(
      joined_, [](const Access& a) { return !tells_of_thread(a.mode); });
  if (telling.begin() - joined_.begin() > 1)
    for (Access& a : joined_)
      if (a.mode == Mode::write) a.mode = Mode::write_in_block;
  const std::uint64_t hash = hash_of<Access>(joined_, static_cast<std::uint64_t>(varies));
  const auto [from, to] = by_hash_.equal_range(hash);
  for (auto it = from; it != to; ++it)
    if (this->varies(it->second) == varies &&
        std::ranges::equal(this->accesses(it->second), joined_))
      return it->second;
  const auto id = static_cast<FootprintId>(rows_.size());
  const Access first = joined_.empty() ? Access() : joined_.front();
  rows_.push_back({static_cast<std::uint32_t>(accesses_.size()),
                   static_cast<std::uint16_t>(joined_.size()), varies, !telling.empty(), first.mode,
                   first.location});
  accesses_.insert(accesses_.end(), joined_.begin(), joined_.end());
  by_hash_.emplace(hash, id);
  return id;
}

bool Footprints::any_dependent(FootprintId x, FootprintId y) const {
  for (const Access& a : accesses(x))
    for (const Access& b : accesses(y))
      if (dependence_->dependent(a, b)) return true;
  return false;
}

bool Footprints::share_location(FootprintId x, FootprintId y) const {
  for (const Access& a : accesses(x))
    for (const Access& b : accesses(y))
      if (a.location == b.location) return true;
  return false;
}

const Access* Footprints::blocking(FootprintId id) const {
  for (const Access& a : accesses(id))
    if (blocks(a.mode)) return &a;
  return nullptr;
}

}  // namespace heddle
