#include "runtime/kernel/dead_values.hpp"

#include <cstdlib>
#include <string_view>

#include "runtime/code/call_sites.hpp"

namespace heddle::runtime {
namespace {

// Functions in each other. What is above is left as it is.
constexpr unsigned most_frames = 256;

std::uint64_t replacement(const std::uint64_t* place, DeadValues how) {
  if (how == DeadValues::clear) return 0;
  return reinterpret_cast<std::uint64_t>(place) * 0x9e3779b97f4a7c15ULL | 1ULL << 63;
}

// Those of a frame that reaches down to `begin`.
void end_slots(SlotSet dead, std::uint64_t* rbp, const std::uint64_t* begin, DeadValues how) {
  for (; dead != 0; dead &= dead - 1) {
    std::uint64_t* const slot = rbp - 1 - __builtin_ctzll(dead);
    if (slot < begin) return;
    *slot = replacement(slot, how);
  }
}

bool is_in(Range stack, const std::uint64_t* place) {
  return reinterpret_cast<const char*>(place) >= stack.begin &&
         reinterpret_cast<const char*>(place) < stack.end &&
         reinterpret_cast<std::uint64_t>(place) % sizeof *place == 0;
}

struct Wanted {
  bool known;    // it has been looked for
  bool is_told;  // else it depends on the run
  DeadValues how;
};
constinit Wanted wanted{};

void look_for_wanted() {
  wanted.known = true;
  const char* const told = std::getenv(dead_values_variable);
  if (told == nullptr) return;
  wanted.is_told = true;
  const std::string_view how = told;
  wanted.how = how == "replace" ? DeadValues::replace
               : how == "clear" ? DeadValues::clear
                                : DeadValues::keep;
}

}  // namespace

DeadValues dead_values_of_run(bool compares_states) {
  if (!wanted.known) look_for_wanted();
  if (wanted.is_told) return wanted.how;
  return compares_states ? DeadValues::clear : DeadValues::keep;
}

// Goes from frame to frame, as unwinding does, with the places of the registers as the function has
// them that waits there: below `entered`, or where a function further in has saved them. If a
// function has saved a register and does not use it, nothing reads what is in that place: its
// callers have what it has saved.
void end_dead_values(std::uint64_t* entered, Range stack, DeadValues how) {
  std::uint64_t* place[kept_registers];
  for (unsigned k = 0; k < kept_registers; ++k) place[k] = entered - 1 - k;
  unsigned unused = all_kept;  // so far, of what is in these places
  std::uint64_t* at = entered;
  for (unsigned depth = 0; depth < most_frames && is_in(stack, at); ++depth) {
    const CallSite& site = call_site(*at++);
    if (!site.is_known) return;
    const auto base = site.from_rbp ? *place[kept_rbp] : reinterpret_cast<std::uint64_t>(at);
    auto* const end = reinterpret_cast<std::uint64_t*>(base + static_cast<std::uint64_t>(site.end));
    if (end <= at || !is_in(stack, end - 1)) return;
    unused &= ~unsigned{site.used};
    for (unsigned saved = site.saved; saved != 0; saved &= saved - 1) {
      const auto k = static_cast<unsigned>(__builtin_ctz(saved));
      std::uint64_t* const own = end + site.places[k] / 8;
      if (own < at) return;
      if ((unused & 1U << k) != 0) *place[k] = replacement(place[k], how);
      place[k] = own;
    }
    unused |= site.saved;
    end_slots(site.dead_slots, end - 2, at, how);
    at = end - 1;
  }
}

}  // namespace heddle::runtime
