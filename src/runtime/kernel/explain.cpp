#include "runtime/kernel/explain.hpp"

#include <sys/syscall.h>
#include <sys/uio.h>

#include "runtime/sys/mapping.hpp"
#include "runtime/sys/process.hpp"
#include "runtime/wire/channel.hpp"

namespace heddle::runtime {

constinit detail::Explanation detail::explanation{};

namespace {

// Accesses with a stack, about a kilobyte each, in a run that is explained. Later ones are
// remembered without: the report then shows no stack for them.
constexpr std::uint32_t max_stacks = 1 << 16;

using detail::explanation;

bool is_ours(const abi::Site* site) {
  const auto* s = reinterpret_cast<const SiteWithStack*>(site);
  return is_explaining() && explanation.stacks <= s &&
         s < explanation.stacks + explanation.stack_count;
}

// The address may be any: a program's mistake must not become a fault of the runtime.
bool read_safely(std::uint64_t address, void* out, std::uint64_t size) {
  iovec to{out, size}, from{reinterpret_cast<void*>(address), size};
  return system_call(SYS_process_vm_readv, system_call(SYS_getpid), reinterpret_cast<long>(&to), 1,
                     reinterpret_cast<long>(&from), 1, 0) == static_cast<long>(size);
}

void read_value(const abi::WireValue& memory, std::uint64_t& value, abi::Known known,
                std::uint8_t& set) {
  if (memory.size == 0 || memory.size > sizeof value) return;
  if (read_safely(memory.address, &value, memory.size)) set |= known;
}

void begin(abi::WireValue& value, const void* address, std::uint64_t size) {
  value = {reinterpret_cast<std::uint64_t>(address), size, 0, 0, 0, {}};
  read_value(value, value.before, abi::known_before, value.known);
}

void settle(abi::WireValue*& value) {
  if (value != nullptr) read_value(*value, value->after, abi::known_after, value->known);
  value = nullptr;
}

}  // namespace

void begin_event_access(abi::WireValue& value, const void* address, std::uint64_t size) {
  begin(value, address, size);
  explanation.event_access = &value;
}

void settle_accesses() {
  settle(explanation.event_access);
  settle(explanation.access);
}

void begin_explaining(bool on) {
  explanation.on = on;
  explanation.stack_count = 0;
  explanation.event_access = explanation.access = nullptr;
  if (on && explanation.stacks == nullptr)
    explanation.stacks =
        static_cast<SiteWithStack*>(map_anywhere(max_stacks * sizeof(SiteWithStack)));
}

const abi::Site* add_stack(const abi::Site* site, const void* address, std::uint64_t size) {
  // The first access after an event, if it is the same, has not been made yet.
  const bool of_event =
      explanation.event_access != nullptr && explanation.access == nullptr &&
      explanation.event_access->address == reinterpret_cast<std::uint64_t>(address);
  if (!of_event) settle_accesses();
  if (explanation.stack_count == max_stacks || site == nullptr) return site;
  SiteWithStack& s = explanation.stacks[explanation.stack_count];
  s = {*site, site, {}, reply().event_count, current_stack(), 0};
  s.stack_name = name_of(s.stack);
  begin(s.value, address, size);
  explanation.access = &s.value;
  ++explanation.stack_count;
  return &s.site;
}

const abi::Site* site_of(const abi::Site* site) {
  if (is_ours(site)) return reinterpret_cast<const SiteWithStack*>(site)->original;
  return without_callers(site);
}

std::uint64_t stack_name_of(const abi::Site* site) {
  return is_ours(site) ? reinterpret_cast<const SiteWithStack*>(site)->stack_name
                       : name_of_callers(site);
}

const SiteWithStack* remembered(const abi::Site* site) {
  return is_ours(site) ? reinterpret_cast<const SiteWithStack*>(site) : nullptr;
}

}  // namespace heddle::runtime
