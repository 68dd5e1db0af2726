#include "runtime/code/call_sites.hpp"

#include <cstring>
#include <limits>

#include "runtime/sys/mapping.hpp"

namespace heddle::runtime {

constinit detail::CallSites detail::call_sites{};

namespace {

using detail::call_site_slot;
using detail::call_sites;

// As far as collisions go. Where there is no slot, the call is not known.
constexpr std::uint64_t most_probes = 64;
constexpr CallSite unknown{};

CallSite* slot_for(std::uint64_t return_address) {
  for (std::uint64_t k = 0; k < most_probes; ++k) {
    CallSite& s = call_sites.slots[call_site_slot(return_address, k)];
    if (s.return_address == return_address || s.return_address == 0) return &s;
  }
  return nullptr;
}

template <typename To>
bool fits(std::int64_t number) {
  return number >= std::numeric_limits<To>::min() && number <= std::numeric_limits<To>::max();
}

// The slot this far below rbp.
SlotSet slot_of(std::int64_t distance) {
  const std::int64_t k = distance / 8 - 1;
  return k >= 0 && k < slots ? 1ULL << k : 0;
}

// The rule is that of the call: behind it, another may begin.
CallSite look_at(const Call& call) {
  const std::uint64_t return_address = call.return_address;
  CallSite out{.return_address = return_address,
               .is_known = false,
               .from_rbp = false,
               .used = call.used,
               .saved = 0,
               .end = 0,
               .places = {},
               .dead_slots = 0};
  FunctionPart part;
  FrameRule rule;
  if (!find_function_part(return_address - 1, part) ||
      !find_frame_rule(part, return_address - 1, rule) || !fits<std::int32_t>(rule.end))
    return out;
  out.from_rbp = rule.from_rbp;
  out.saved = rule.saved;
  out.end = static_cast<std::int32_t>(rule.end);
  // Its frame ends relative to rbp: unwinding it needs that.
  if (rule.from_rbp) out.used = static_cast<KeptSet>(out.used | 1U << kept_rbp);
  for (unsigned k = 0; k < kept_registers; ++k) {
    if ((rule.saved & 1U << k) == 0) continue;
    // Above the return address would be in the caller's frame.
    if (!fits<std::int16_t>(rule.place[k]) || rule.place[k] > -16 || rule.place[k] % 8 != 0)
      return out;
    out.places[k] = static_cast<std::int16_t>(rule.place[k]);
  }
  constexpr std::int64_t frame_pointer = 16;  // this far below the end: slots are below that
  if (rule.from_rbp && rule.end == frame_pointer) out.dead_slots = all_slots & ~call.used_slots;
  for (unsigned k = 0; k < kept_registers; ++k)
    if ((rule.saved & 1U << k) != 0) out.dead_slots &= ~slot_of(-frame_pointer - rule.place[k]);
  out.is_known = true;
  return out;
}

void look_at_function(std::uint64_t return_address) {
  const Calls calls = find_calls(return_address - 1);
  for (std::uint32_t k = 0; k < calls.count; ++k)
    if (CallSite* const s = slot_for(calls.list[k].return_address);
        s != nullptr && s->return_address == 0)
      *s = look_at(calls.list[k]);
  // Of a function that is not understood.
  if (CallSite* const own = slot_for(return_address); own != nullptr && own->return_address == 0)
    *own = look_at({return_address, all_kept, all_slots});
}

// What was left below would show up in frames that come later: only in the first run that comes
// here.
[[gnu::noinline]] void clear_stack_below() {
  char more_than_was_used[1U << 14];
  std::memset(more_than_was_used, 0, sizeof more_than_was_used);
  asm volatile("" ::"r"(more_than_was_used) : "memory");
}

}  // namespace

[[gnu::noinline]] const CallSite& detail::add_call_site(std::uint64_t return_address) {
  if (return_address == 0) return unknown;
  if (call_sites.slots == nullptr)
    call_sites.slots = static_cast<CallSite*>(map_anywhere(call_site_slots * sizeof(CallSite)));
  const CallSite* slot = slot_for(return_address);
  if (slot != nullptr && slot->return_address == 0) {
    look_at_function(return_address);
    clear_stack_below();
    slot = slot_for(return_address);
  }
  return slot == nullptr ? unknown : *slot;
}

}  // namespace heddle::runtime
