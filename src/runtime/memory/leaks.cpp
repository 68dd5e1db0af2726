#include "runtime/memory/leaks.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "runtime/abi/layout.h"
#include "runtime/kernel/fiber.hpp"
#include "runtime/kernel/mailboxes.hpp"
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

struct Leaks {
  // Of one search.
  Block blocks[max_blocks];
  std::uint32_t block_count;
  std::uint32_t open[max_blocks], open_count;  // reached, and yet to be scanned
  // Of all runs so far.
  std::uint32_t runs;
  bool seen[max_blocks];  // by the number of blocks left
};
constinit Leaks leaks{};

bool is_worth_looking() {
  const std::uint32_t left = live_block_count();
  if (left == 0 || left >= max_blocks) return false;
  const bool known = leaks.seen[left];
  leaks.seen[left] = true;
  return ++leaks.runs < looked_at_always || !known;
}

void collect() {
  leaks.block_count = 0;
  for (unsigned id = 0; id < abi::max_threads; ++id)
    if (fiber(id).status != Fiber::Status::absent)
      for_live_blocks(id, [](char* begin, char* end, const abi::Site* site) {
        if (leaks.block_count < max_blocks)
          leaks.blocks[leaks.block_count++] = {begin, end, site, false};
      });
  std::sort(leaks.blocks, leaks.blocks + leaks.block_count,
            [](const Block& a, const Block& b) { return a.begin < b.begin; });
}

// A pointer to the beginning of a block, into it, or right after it.
void reach(const char* p) {
  const Block* after = std::upper_bound(leaks.blocks, leaks.blocks + leaks.block_count, p,
                                        [](const char* q, const Block& b) { return q < b.begin; });
  if (after == leaks.blocks) return;
  Block& b = leaks.blocks[after - leaks.blocks - 1];
  if (p > b.end || b.reached) return;
  b.reached = true;
  leaks.open[leaks.open_count++] = static_cast<std::uint32_t>(&b - leaks.blocks);
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
    const auto* mail = reinterpret_cast<const char*>(&mailbox_of(id).first);
    scan(mail, mail + sizeof mailbox_of(id).first);
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
  leaks.open_count = 0;
  for_written_memory(scan);
  scan_stacks(visit_roots);
  while (leaks.open_count > 0) {
    const Block& b = leaks.blocks[leaks.open[--leaks.open_count]];
    scan(b.begin, b.end);
  }
  for (std::uint32_t k = 0; k < leaks.block_count; ++k)
    if (!leaks.blocks[k].reached && leaks.blocks[k].site != nullptr) return leaks.blocks[k].site;
  return nullptr;
}

}  // namespace heddle::runtime
