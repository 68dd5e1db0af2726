// Runs that are explained: once a finding is known, its schedule is run again, and this time stacks
// are recorded, which would cost too much in every run.
#pragma once

#include <cstdint>

#include "runtime/abi/abi.h"
#include "runtime/abi/wire.h"
#include "runtime/kernel/pardons.hpp"
#include "runtime/kernel/stack.hpp"

namespace heddle::runtime {

// A site as accesses remember it in a run that is being explained.
struct SiteWithStack {
  abi::Site site;
  const abi::Site* original;
  abi::WireValue value;
  std::uint32_t at;  // how many events there were
  Stack stack;
  std::uint64_t stack_name;
};

namespace detail {
struct Explanation {
  bool on;
  SiteWithStack* stacks;
  // Of the run that is explained.
  std::uint32_t stack_count;
  // What the current thread is doing: the access of an event, and the same access, or another, as
  // it is remembered for races.
  abi::WireValue *event_access, *access;
};
extern Explanation explanation;
}  // namespace detail
inline bool is_explaining() { return detail::explanation.on; }

void begin_explaining(bool on);

// The site of an access to this memory, with the current stack attached if the run is being
// explained.
const abi::Site* add_stack(const abi::Site* site, const void* address, std::uint64_t size);
inline const abi::Site* with_stack(const abi::Site* site, const void* address, std::uint64_t size) {
  if (is_explaining()) return add_stack(site, address, size);
  return any_pardoned() ? with_callers(site, address, size) : site;
}
// The site as the program has it; what is remembered with it, or null.
const abi::Site* site_of(const abi::Site* site);
const SiteWithStack* remembered(const abi::Site* site);
// The name of the stack that is remembered with the site, or 0.
std::uint64_t stack_name_of(const abi::Site* site);

// Reads what is in memory before the access of an event; what the access left there is filled in
// afterwards. `value` must stay in place until then.
void begin_event_access(abi::WireValue& value, const void* address, std::uint64_t size);
// To be called when the current thread comes to its next step, and what it did before is done.
void settle_accesses();

}  // namespace heddle::runtime
