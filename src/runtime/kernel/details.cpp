#include "runtime/kernel/details.hpp"

#include <cstring>

#include "runtime/kernel/access_bits.hpp"
#include "runtime/kernel/current.hpp"
#include "runtime/sys/mapping.hpp"
#include "runtime/wire/channel.hpp"

namespace heddle::runtime {
namespace {

struct EventDetail {
  abi::WireEventDetail detail;
  Stack stack;
};
struct Spot {
  const SiteWithStack* access;
  std::uint8_t bits;
};
struct Block {
  abi::WireBlock block;
  const SiteWithStack* freed;
};

// What does not fit is left out: the report then shows less. For events and blocks, an eighth of
// the steps that a run may have: only runs with findings are explained, and those are short. Spots
// are the few accesses that a finding is about. Chosen, not measured.
constexpr std::uint32_t max_events = 1 << 15, max_blocks = 1 << 15, max_spots = 8;

// Of a run, but for where the lists are.
struct Details {
  EventDetail* events;
  Block* blocks;
  Spot spots[max_spots];
  std::uint32_t event_count, block_count, spot_count;
  std::uint32_t finding_at;  // how many events there were
  Stack announced[abi::max_threads];
};
constinit Details details{};

std::uint64_t address_of(const void* p) { return reinterpret_cast<std::uint64_t>(p); }

Block* block_at(const void* address) {
  for (std::uint32_t k = details.block_count; k > 0; --k) {
    const abi::WireBlock& b = details.blocks[k - 1].block;
    if (address_of(address) - b.address < (b.size == 0 ? 1 : b.size)) return &details.blocks[k - 1];
  }
  return nullptr;
}

Block* add_block(const void* block, std::uint64_t size, const abi::Site* site, unsigned thread) {
  if (details.block_count == max_blocks) return nullptr;
  Block& b = details.blocks[details.block_count++];
  b = {{address_of(block), size, address_of(site), 0, thread, 0}, nullptr};
  return &b;
}

constexpr unsigned before_main = abi::max_threads;  // in the place of a thread: none of the run

bool is_of_memory(const Op& op) {
  using abi::Role;
  const Role role = abi::row_of(op.kind).role;
  return role == Role::read || role == Role::write || role == Role::end;
}

void add_frames(const Stack& stack) {
  const std::uint64_t bytes = stack.depth * sizeof stack.frames[0];
  if (void* out = add_to_reply(bytes)) std::memcpy(out, stack.frames, bytes);
}

template <typename T>
void add(const T& value) {
  if (T* out = add_to_reply<T>()) *out = value;
}

std::uint64_t size_of_details() {
  std::uint64_t bytes = sizeof(abi::WireDetails) + details.block_count * sizeof(abi::WireBlock);
  for (std::uint32_t k = 0; k < details.spot_count; ++k)
    bytes += sizeof(abi::WireSpot) + details.spots[k].access->stack.depth * sizeof(abi::WireFrame);
  for (std::uint32_t k = 0; k < details.event_count; ++k)
    bytes += sizeof(abi::WireEventDetail) + details.events[k].detail.depth * sizeof(abi::WireFrame);
  return bytes;
}

}  // namespace

void clear_details() {
  details.event_count = details.block_count = details.spot_count = details.finding_at = 0;
}

void map_details() {
  if (details.events != nullptr) return;
  details.events = static_cast<EventDetail*>(map_anywhere(max_events * sizeof(EventDetail)));
  details.blocks = static_cast<Block*>(map_anywhere(max_blocks * sizeof(Block)));
}

void note_announced() { details.announced[current().id] = current_stack(); }

void note_event(unsigned thread, const Op& op, bool gives_up) {
  if (details.event_count == max_events) return;
  EventDetail& e = details.events[details.event_count++];
  e.stack = details.announced[thread];
  e.detail = {{}, reply().event_count - 1, e.stack.depth};
  if (!gives_up && is_of_memory(op)) begin_event_access(e.detail.value, op.object, op.size);
}

void note_block(const void* block, std::uint64_t size) {
  add_block(block, size, site_of(current().site), current().id);
}

void note_early_block(const void* block, std::uint64_t size) {
  add_block(block, size, nullptr, before_main);
}

void note_freed(const void* block, std::uint64_t size) {
  Block* b = block_at(block);
  if (b == nullptr) b = add_block(block, size, nullptr, before_main);
  if (b == nullptr || b->block.freed != 0) return;
  const abi::Site* site = current().site;
  b->block.freed = site == nullptr ? 1 : address_of(site_of(site));
  b->block.freed_by = current().id;
  b->freed = remembered(add_stack(site, block, 0));
}

void note_spot(const SiteWithStack& access, std::uint8_t bits) {
  if (details.spot_count < max_spots) details.spots[details.spot_count++] = {&access, bits};
}

void note_spot_of_free(const void* address) {
  const Block* b = block_at(address);
  if (b != nullptr && b->freed != nullptr) note_spot(*b->freed, bit_write | bit_plain | bit_free);
}

void note_moment() { details.finding_at = reply().event_count; }

void report_details() {
  while (size_of_details() > abi::reply_ring_bytes / 2 && details.event_count > 0)
    details.event_count /= 2;
  if (size_of_details() > abi::reply_ring_bytes / 2) return;
  const std::uint64_t bytes = size_of_details();
  add(abi::WireDetails{details.spot_count, details.event_count, details.block_count,
                       details.finding_at});
  for (std::uint32_t k = 0; k < details.spot_count; ++k) {
    const SiteWithStack& a = *details.spots[k].access;
    add(abi::WireSpot{a.value, address_of(a.original), a.at,
                      static_cast<std::uint16_t>(a.stack.thread), details.spots[k].bits, 0,
                      a.stack.depth});
    add_frames(a.stack);
  }
  for (std::uint32_t k = 0; k < details.event_count; ++k) {
    add(details.events[k].detail);
    add_frames(details.events[k].stack);
  }
  for (std::uint32_t k = 0; k < details.block_count; ++k) add(details.blocks[k].block);
  reply().detail_bytes = static_cast<std::uint32_t>(bytes);
}

}  // namespace heddle::runtime
