#include "runtime/kernel/pardons.hpp"

#include <algorithm>

#include "runtime/kernel/visible.hpp"
#include "runtime/sys/mapping.hpp"
#include "runtime/wire/channel.hpp"

// Where the linker has put this library.
extern "C" {
extern const char __ehdr_start[] __attribute__((visibility("hidden")));
extern const char etext[] __attribute__((visibility("hidden")));
}

namespace heddle::runtime {

constinit detail::Pardons detail::pardons{};

struct detail::Called {
  abi::Site site;  // a copy, which accesses may look at
  const abi::Site* original;
  std::uint64_t name;
};

namespace {

using detail::Called;
using detail::pardons;

constexpr std::uint64_t odd = 0x9e3779b97f4a7c15ULL;

// How many frames of the program distinguish stacks. Stacks that are taken in different places have
// different numbers of frames of the runtime on top, at most eight: that must not matter.
constexpr unsigned named_frames = max_depth - 8;

bool is_ours(std::uint64_t code) {
  return code - reinterpret_cast<std::uint64_t>(__ehdr_start) <
         static_cast<std::uint64_t>(etext - __ehdr_start);
}

// Accesses that find no place in the table do without: their races are reported.
constexpr std::uint32_t max_called = 1U << 16;  // more than programs have such stacks
constexpr std::uint32_t max_probes = 64;        // more would be slower than the races are worth

bool is_called(const abi::Site* site) {
  const auto* c = reinterpret_cast<const Called*>(site);
  return pardons.called != nullptr && pardons.called <= c && c < pardons.called + max_called;
}

}  // namespace

void set_pardons() {
  pardons.any = settings().pardoned_count != 0;
  if (any_pardoned() && pardons.called == nullptr)
    pardons.called = static_cast<Called*>(map_anywhere(max_called * sizeof(Called)));
}

std::uint64_t name_of(const Stack& stack) {
  std::uint64_t name = odd;
  unsigned named = 0;
  for (std::uint32_t k = 0; k < stack.depth && named < named_frames; ++k) {
    if (is_ours(stack.frames[k].code)) continue;
    name = ((name << 5 | name >> 59) ^ stack.frames[k].code) * odd;
    ++named;
  }
  return name == 0 ? 1 : name;
}

bool is_pardoned(std::uint64_t stacks, std::uint64_t memory) {
  const abi::Settings& s = settings();
  const auto knows = [&](std::uint64_t name) {
    return std::binary_search(s.pardoned, s.pardoned + s.pardoned_count, name);
  };
  return stacks != 0 && (knows(stacks) || knows(abi::race_with(stacks, memory)));
}

const abi::Site* with_callers(const abi::Site* site, const void* address, std::uint64_t size) {
  if (site == nullptr || !is_visible(address, size)) return site;
  const std::uint64_t name = name_of(current_stack());
  const std::uint64_t first = (name ^ reinterpret_cast<std::uint64_t>(site)) * odd >> 48;
  for (std::uint32_t k = 0; k < max_probes; ++k) {
    Called& c = pardons.called[(first + k) % max_called];
    if (c.original == nullptr) c = {*site, site, name};
    if (c.original == site && c.name == name) return &c.site;
  }
  return site;
}

const abi::Site* without_callers(const abi::Site* site) {
  return is_called(site) ? reinterpret_cast<const Called*>(site)->original : site;
}

std::uint64_t name_of_callers(const abi::Site* site) {
  return is_called(site) ? reinterpret_cast<const Called*>(site)->name : 0;
}

}  // namespace heddle::runtime
