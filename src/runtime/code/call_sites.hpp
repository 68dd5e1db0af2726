// What is known of a frame while its function waits for a call to return: by the address to which
// that returns, found out when it is first asked for.
#pragma once

#include <cstdint>

#include "runtime/code/liveness.hpp"

namespace heddle::runtime {

struct CallSite {
  std::uint64_t return_address;  // 0: none
  bool is_known;                 // else nothing below is
  bool from_rbp;                 // see FrameRule
  KeptSet used;                  // by the function itself, when the call has returned
  KeptSet saved;
  std::int32_t end;
  std::int16_t places[kept_registers];
  SlotSet dead_slots;  // below rbp, if the frame ends relative to it
};

namespace detail {
// Outlives runs: code is never unloaded.
struct CallSites {
  CallSite* slots;
};
extern CallSites call_sites;
inline constexpr std::uint64_t call_site_slots = 1U << 16;
inline std::uint64_t call_site_slot(std::uint64_t return_address, std::uint64_t probe) {
  return ((return_address * 0x9e3779b97f4a7c15ULL >> 48) + probe) % call_site_slots;
}
const CallSite& add_call_site(std::uint64_t return_address);
}  // namespace detail

// Of a program with more than there is room for, some are not known.
inline const CallSite& call_site(std::uint64_t return_address) {
  using namespace detail;
  if (call_sites.slots == nullptr) [[unlikely]]
    return add_call_site(return_address);
  const CallSite* slot = &call_sites.slots[call_site_slot(return_address, 0)];
  if (slot->return_address == return_address) [[likely]]
    return *slot;
  return add_call_site(return_address);
}

}  // namespace heddle::runtime
