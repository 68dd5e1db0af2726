#include "runtime/memory/leaks.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "runtime/abi/layout.h"
#include "runtime/kernel/fiber.hpp"
#include "runtime/memory/heap.hpp"
#include "runtime/memory/image.hpp"
#include "runtime/memory/shadow.hpp"

namespace heddle::runtime {
namespace {

constexpr std::uint32_t max_blocks = 1 << 14;  // programs with more of them are not searched
// Runs that are searched whatever they left: enough to see leaks that only some schedules have, and
// soon over, as a search takes longer than a short run.
constexpr std::uint32_t looked_at_always = 256;

struct Block {
  char *begin, *end;
  const abi::Site* site;
  bool reached;
};
Block blocks[max_blocks];
std::uint32_t block_count, open[max_blocks], open_count;
std::uint32_t runs = 0;
bool seen[max_blocks];  // by the number of blocks left

bool is_worth_looking() {
  const std::uint32_t left = live_block_count();
  if (left == 0 || left >= max_blocks) return false;
  const bool known = seen[left];
  seen[left] = true;
  return ++runs < looked_at_always || !known;
}

void collect() {
  block_count = 0;
  for (unsigned id = 0; id < abi::max_threads; ++id)
    if (fiber(id).status != Fiber::Status::absent)
      for_live_blocks(id, [](char* begin, char* end, const abi::Site* site) {
        if (block_count < max_blocks) blocks[block_count++] = {begin, end, site, false};
      });
  std::sort(blocks, blocks + block_count,
            [](const Block& a, const Block& b) { return a.begin < b.begin; });
}

// A pointer to the beginning of a block, into it, or right after it.
void reach(const char* p) {
  const Block* after = std::upper_bound(blocks, blocks + block_count, p,
                                        [](const char* q, const Block& b) { return q < b.begin; });
  if (after == blocks) return;
  Block& b = blocks[after - blocks - 1];
  if (p > b.end || b.reached) return;
  b.reached = true;
  open[open_count++] = static_cast<std::uint32_t>(&b - blocks);
}

void scan(const char* begin, const char* end) {
  const auto first = (reinterpret_cast<std::uint64_t>(begin) + 7) / 8 * 8;
  for (auto at = first; at + 8 <= reinterpret_cast<std::uint64_t>(end); at += 8) {
    std::uint64_t value;
    std::memcpy(&value, reinterpret_cast<const void*>(at), sizeof value);
    if (value - abi::heap_begin >= abi::arena_size * abi::max_threads) continue;
    note_look_at_exit(reinterpret_cast<const void*>(at), sizeof value);
    reach(reinterpret_cast<const char*>(value));
  }
}

void scan_stacks(VisitRoots visit_roots) {
  for (unsigned id = 0; id < abi::max_threads; ++id) {
    const Fiber& f = fiber(id);
    if (f.status == Fiber::Status::absent || f.status == Fiber::Status::ended) continue;
    scan(static_cast<const char*>(f.stack_pointer),
         reinterpret_cast<const char*>(abi::stacks_begin + (id + 1) * abi::stack_size));
    visit_roots(id, scan);
  }
}

}  // namespace

const abi::Site* find_leak(VisitRoots visit_roots) {
  if (!is_worth_looking()) return nullptr;
  collect();
  open_count = 0;
  for_written_memory(scan);
  scan_stacks(visit_roots);
  while (open_count > 0) {
    const Block& b = blocks[open[--open_count]];
    scan(b.begin, b.end);
  }
  for (std::uint32_t k = 0; k < block_count; ++k)
    if (!blocks[k].reached && blocks[k].site != nullptr) return blocks[k].site;
  return nullptr;
}

}  // namespace heddle::runtime
