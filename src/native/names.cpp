#include "native/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "findings/phrases.hpp"
#include "runtime/abi/layout.h"

namespace heddle::native {
namespace {

using abi::arena_size;
using abi::heap_begin;
using abi::stack_size;
using abi::stacks_begin;

bool is_on_heap(std::uint64_t address) {
  return address - heap_begin < arena_size * (abi::max_threads + 1);
}
bool is_on_stack(std::uint64_t address) {
  return address - stacks_begin < stack_size * abi::max_threads;
}

std::int64_t extended(std::uint64_t value, std::uint64_t size) {
  const unsigned unused = static_cast<unsigned>(64 - 8 * size);
  return static_cast<std::int64_t>(value << unused) >> unused;
}

// The pattern of memory that was never written: see the runtime's heap, and the driver's flags.
bool is_unset(std::uint64_t value, std::uint64_t size) {
  return size >= 4 && value == (0xaaaaaaaaaaaaaaaa >> (64 - 8 * size));
}

std::string real(std::uint64_t value, std::uint64_t size) {
  if (size == sizeof(float)) {
    float f;
    std::memcpy(&f, &value, sizeof f);
    return fmt::format("{}", f);
  }
  double d;
  std::memcpy(&d, &value, sizeof d);
  return fmt::format("{}", d);
}

// A number of unknown type: small negative numbers are more likely than huge ones.
std::string number(std::uint64_t value, std::uint64_t size) {
  constexpr std::int64_t small = 1 << 24;
  const std::int64_t s = extended(value, size);
  if (s < 0 && s > -small) return fmt::format("{}", s);
  return value > std::uint64_t{1} << 40 ? fmt::format("{:#x}", value) : fmt::format("{}", value);
}

}  // namespace

Names::Names(const Explanation& run, const Symbols& symbols) : run_(run), symbols_(symbols) {
  for (const abi::WireBlock& b : run.blocks) blocks_[b.address] = &b;
  const auto add = [&](unsigned thread, const std::vector<abi::WireFrame>& frames) {
    if (!frames.empty()) stacks_[thread].push_back(&frames);
  };
  for (const Explanation::Step& s : run.steps) add(s.move.thread, s.frames);
  for (const Explanation::Spot& s : run.spots) add(s.access.thread, s.frames);
}

const abi::WireBlock* Names::block(std::uint64_t address) const {
  const auto next = blocks_.upper_bound(address);
  if (next == blocks_.begin()) return nullptr;
  const abi::WireBlock* b = std::prev(next)->second;
  // An access beyond the end belongs to the block, too: the blocks of one thread are adjacent.
  return is_on_heap(b->address) &&
                 (address - heap_begin) / arena_size == (b->address - heap_begin) / arena_size
             ? b
             : nullptr;
}

unsigned Names::number_of(const abi::WireBlock& block) {
  auto at = std::ranges::find(numbered_, &block);
  if (at == numbered_.end()) at = numbered_.insert(at, &block);
  return static_cast<unsigned>(at - numbered_.begin()) + 1;
}

findings::Block Names::described(const abi::WireBlock& b, unsigned number) const {
  const auto place = [&](std::uint64_t site) { return symbols_.site(site).value_or(Place{}); };
  findings::Block out{number, b.size};
  if (b.thread != abi::max_threads) {
    out.allocated_by = b.thread;
    out.allocated_at = place(b.site);
  }
  if (b.freed != 0) {
    out.freed_by = b.freed_by;
    out.freed_at = place(b.freed);
  }
  return out;
}

const Variable* Names::variable(std::uint64_t address) {
  const auto [at, fresh] = variables_.try_emplace(address);
  if (!fresh) return at->second ? &*at->second : nullptr;
  if (is_on_stack(address)) {
    // The latest first: it has the innermost functions, and their callers.
    const auto& stacks = stacks_[static_cast<unsigned>((address - stacks_begin) / stack_size)];
    for (auto s = stacks.rbegin(); s != stacks.rend() && !at->second; ++s)
      at->second = symbols_.local(address, **s);
  } else if (!is_on_heap(address)) {
    at->second = symbols_.global(address);
  }
  return at->second ? &*at->second : nullptr;
}

std::string Names::object(std::uint64_t address) {
  if (const Variable* v = variable(address)) return v->name;
  if (is_on_stack(address))
    return fmt::format("a variable of thread {}", (address - stacks_begin) / stack_size);
  if (const abi::WireBlock* b = block(address)) {
    const std::uint64_t offset = address - b->address;
    return fmt::format("block #{}{}", number_of(*b),
                       offset == 0 ? "" : fmt::format(" + {}", offset));
  }
  if (is_on_heap(address)) return fmt::format("memory from before main ({:#x})", address);
  return symbols_.symbol(address).value_or(fmt::format("memory at {:#x}", address));
}

bool Names::is_programs(std::uint64_t address) {
  if (variable(address) != nullptr || is_on_stack(address)) return true;
  const abi::WireBlock* b = block(address);
  return b != nullptr && b->thread != abi::max_threads;
}

std::string Names::pointer(std::uint64_t value) {
  if (value == 0) return "null";
  if (const Variable* v = variable(value)) return "&" + v->name;
  if (is_on_stack(value) || is_on_heap(value)) return object(value);
  return symbols_.symbol(value).value_or(fmt::format("{:#x}", value));
}

// An integer may hold an address.
std::string Names::unknown(std::uint64_t value, std::uint64_t size) {
  return size == 8 && (is_on_heap(value) || is_on_stack(value)) ? pointer(value)
                                                                : number(value, size);
}

std::string Names::value(std::uint64_t value, std::uint64_t address, std::uint64_t size) {
  if (is_unset(value, size)) return "unset";
  const Variable* v = variable(address);
  switch (v == nullptr ? Variable::Kind::unknown : v->kind) {
    case Variable::Kind::number:
      return fmt::format("{}", extended(value, size));
    case Variable::Kind::natural:
      return size == 8 ? unknown(value, size) : fmt::format("{}", value);
    case Variable::Kind::boolean:
      return value == 0 ? "false" : "true";
    case Variable::Kind::real:
      return real(value, size);
    case Variable::Kind::pointer:
      return pointer(value);
    case Variable::Kind::name:
      for (const auto& [number, name] : v->names)
        if (number == extended(value, size)) return name;
      return number(value, size);
    default:
      return unknown(value, size);
  }
}

std::string Names::with_names(const std::string& text, bool freed) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t open = text.find("{0x", at);
    const std::size_t close = open == std::string::npos ? open : text.find('}', open);
    if (close == std::string::npos) return out + text.substr(at);
    out += text.substr(at, open - at);
    const std::uint64_t address = std::strtoull(text.c_str() + open + 1, nullptr, 16);
    const bool named = variable(address) != nullptr ||
                       (!is_on_heap(address) && !is_on_stack(address) && symbols_.symbol(address));
    if (named)
      out += fmt::format("'{}'", object(address));
    else if (const abi::WireBlock* b = block(address)) {
      const findings::Block d = described(*b, number_of(*b));
      out += fmt::format("{} ({}{})", object(address), findings::allocation_of(d),
                         freed ? findings::release_of(d) : "");
    } else
      out += object(address);
    at = close + 1;
  }
  return out;
}

std::vector<findings::Block> Names::blocks() const {
  std::vector<findings::Block> out;
  for (const abi::WireBlock* b : numbered_)
    out.push_back(described(*b, static_cast<unsigned>(out.size()) + 1));
  return out;
}

}  // namespace heddle::native
