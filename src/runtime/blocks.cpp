#include "runtime/blocks.hpp"

#include "runtime/channel.hpp"
#include "runtime/clocks.hpp"
#include "runtime/ending.hpp"
#include "runtime/findings.hpp"
#include "runtime/memory.hpp"
#include "runtime/recorder.hpp"
#include "runtime/scheduler.hpp"
#include "runtime/shadow.hpp"

namespace heddle::runtime {
namespace {

using abi::Ordering;

constexpr std::uint64_t max_alternatives = 0xffff;

// The alternative after this one has the last choice that can be another one more, and 0 for those
// behind it.
unsigned choose_in_block(Fiber::Block& block, unsigned n) {
  note(abi::note_block_choice);
  const std::uint64_t choice = block.rest % n;
  block.rest /= n;
  if (choice + 1 < n) {
    const std::uint64_t next = block.chosen + (choice + 1) * block.weight;
    if (next >= max_alternatives)
      unsupported(
          "so many choices in an atomic block that there are more than 65535 of them together");
    set_alternatives(static_cast<std::uint16_t>(next + 1));
  }
  block.chosen += choice * block.weight;
  block.weight *= n;
  return static_cast<unsigned>(choice);
}

// Others can see that the step was taken.
bool changes(const Op& op) {
  return op.kind != OpKind::load && (op.kind != OpKind::compare_exchange || exchanges(op));
}

}  // namespace

void begin_block() {
  const unsigned alternative = step({.kind = OpKind::block});
  current().block = {.rest = alternative, .chosen = 0, .weight = 1, .changed = false};
}

void leave_block() {
  if (is_trying()) return;
  if (current().block.changed)
    unsupported(
        "an assumption that does not hold in an atomic block, after the block has changed "
        "something "
        "(let the block assume first)");
}

void access_in_block(Fiber& self, const void* address, std::uint64_t size, bool writes,
                     const abi::Site* site) {
  if (writes) self.block.changed = true;
  check_heap(address, size);
  record_range(address, size, writes);
  order_read(self.id, address, size, Ordering::sequential);
  check_access(self.id, address, size, writes ? bit_write : 0, site);
  if (writes) order_write(self.id, address, size, Ordering::sequential, true, false);
}

unsigned step_in_block(const Op& op) {
  Fiber& self = current();
  if (op.alternatives > 1) return choose_in_block(self.block, op.alternatives);
  if (!is_enabled(op, self.id)) unsupported("waiting inside an atomic block");
  if (changes(op)) self.block.changed = true;
  Op ordered = op;
  ordered.ordered = settings().block_choices != 0;  // it may be no mere write if it chooses
  record_accesses(ordered, self.id);
  return 0;
}

}  // namespace heddle::runtime
