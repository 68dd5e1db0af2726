#include "runtime/kernel/blocks.hpp"

#include "runtime/kernel/current.hpp"
#include "runtime/kernel/findings.hpp"
#include "runtime/kernel/operations.hpp"
#include "runtime/kernel/recorder.hpp"
#include "runtime/kernel/stop.hpp"
#include "runtime/wire/channel.hpp"

namespace heddle::runtime {
namespace {

constexpr std::uint64_t max_alternatives = 0xffff;

// In the alternative after this one, the last choice that can still be increased is one higher, and
// the choices after it are 0.
unsigned choose_in_block(Fiber::Block& block, unsigned n) {
  note(abi::note_block_choice);
  const std::uint64_t choice = block.rest % n;
  block.rest /= n;
  if (choice + 1 < n) {
    const std::uint64_t next = block.chosen + (choice + 1) * block.weight;
    if (next >= max_alternatives)
      unsupported("choices in an atomic block that have more than 65535 combinations");
    set_alternatives(static_cast<std::uint16_t>(next + 1));
  }
  block.chosen += choice * block.weight;
  block.weight *= n;
  return static_cast<unsigned>(choice);
}

// Whether other threads can see that the step was taken.
bool changes(const Op& op) {
  return op.kind != OpKind::load && (op.kind != OpKind::compare_exchange || exchanges(op));
}

}  // namespace

void leave_block() {
  if (is_trying()) return;
  if (current().block.changed)
    unsupported(
        "an assumption that does not hold in an atomic block, after the block has changed "
        "something (let the block assume first)");
}

[[gnu::noinline]] unsigned step_in_block(const Op& op) {
  Fiber& self = current();
  if (op.alternatives > 1) return choose_in_block(self.block, op.alternatives);
  if (!is_enabled(op, self.id)) unsupported("waiting inside an atomic block");
  if (changes(op)) self.block.changed = true;
  Op ordered = op;
  ordered.ordered = settings().block_choices != 0;  // a block that chooses may not be a mere write
  record_accesses(ordered, self.id);
  return 0;
}

}  // namespace heddle::runtime
