#include "core/in_place.hpp"

#include <algorithm>

#include "core/order.hpp"

namespace heddle {
namespace {

using enum Mode;

// The only object that the step uses, or null.
const Access* only_access(const Footprints& footprints, FootprintId id) {
  const auto accesses = footprints.accesses(id);
  const auto is_own = [](const Access& a) { return !tells_of_thread(a.mode); };
  return std::ranges::count_if(accesses, is_own) == 1 ? accesses.data() : nullptr;
}

// A compare-and-swap finds what the first did, unless that was no more than a look.
std::optional<Mode> compare_and_swap(Mode first, const Event& before, const Event& own, Mode mode) {
  if (first == read) return mode;
  if ((first != write && first != update) || before.value == 0 || own.value == 0)
    return std::nullopt;
  return before.value == own.value ? update : read;
}

std::optional<Mode> attempt_to_lock(Mode first) {
  if (first == lock || first == try_lock) return try_lock;
  return first == unlock ? std::optional(try_lock_fail) : std::nullopt;
}

std::optional<Mode> attempt_to_read(Mode first) {
  if (first == write_lock || first == try_write_lock) return try_read_lock;
  return first == write_unlock ? std::optional(try_read_lock_fail) : std::nullopt;
}

// (Who locked for reading may have found other readers.)
std::optional<Mode> attempt_to_write(Mode first) {
  if (first == write_lock || first == try_write_lock) return try_write_lock;
  if (first == write_unlock || first == read_unlock) return try_write_lock_fail;
  return std::nullopt;
}

std::optional<Mode> mode_in_place_of(const Footprints& footprints, const Access* own,
                                     const Event& first, const Event& second) {
  const auto others = footprints.accesses(first.footprint);
  const auto other = std::ranges::find(others, own->location, &Access::location);
  if (other == others.end()) return std::nullopt;
  switch (own->mode) {
    case read:
    case update:
      return compare_and_swap(other->mode, first, second, own->mode);
    case try_lock:
    case try_lock_fail:
      return attempt_to_lock(other->mode);
    case try_read_lock:
    case try_read_lock_fail:
      return attempt_to_read(other->mode);
    case try_write_lock:
    case try_write_lock_fail:
      return attempt_to_write(other->mode);
    case sem_try_wait:
    case sem_try_wait_fail:
      return other->mode == sem_wait || other->mode == sem_try_wait ? std::optional(sem_try_wait)
                                                                    : std::nullopt;
    default:
      return std::nullopt;
  }
}

Access use_of_condition(const Footprints& footprints, const Access& own, ThreadId thread,
                        const Trail& trail, std::size_t length) {
  ConditionState state;
  for (std::size_t k = 0; k < length; ++k) apply(footprints, trail(k), own.location, state);
  if (own.mode == signal) return state.signal(own.location, own.b);
  return own.mode == broadcast ? state.broadcast(own.location) : state.wake(own.location, thread);
}

}  // namespace

std::optional<Access> use_in_place_of(const Footprints& footprints, const Event& first,
                                      const Event& second, const Trail& trail, std::size_t length) {
  const Access* own = only_access(footprints, second.footprint);
  if (own == nullptr) return std::nullopt;
  if (class_of(own->mode) == ObjectClass::condition)
    return use_of_condition(footprints, *own, second.move.thread, trail, length);
  const auto mode = mode_in_place_of(footprints, own, first, second);
  if (!mode) return std::nullopt;
  Access there = *own;
  there.mode = *mode;
  return there;
}

}  // namespace heddle
