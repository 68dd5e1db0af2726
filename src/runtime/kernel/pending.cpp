#include "runtime/kernel/pending.hpp"

#include "runtime/kernel/current.hpp"
#include "runtime/kernel/details.hpp"
#include "runtime/kernel/explain.hpp"
#include "runtime/kernel/giving_up.hpp"
#include "runtime/kernel/operations.hpp"
#include "runtime/kernel/recorder.hpp"
#include "runtime/kernel/stop.hpp"
#include "runtime/kernel/thread_sets.hpp"
#include "runtime/kernel/waits.hpp"

namespace heddle::runtime {
namespace {

using Status = Fiber::Status;

// The pending steps of these live threads. (Unless the run stops here, none of them can continue.)
// One that is held back by the cube is not among them: no other order of this run lets it go.
template <typename What>
void record_pending(std::uint64_t of, What can) {
  for_set(of, [&](unsigned id) {
    if (is_held(id)) return;
    const Fiber& f = fiber(id);
    begin_waiting(id, can(id), f.pending.alternatives, f.site);
    record_accesses(f.pending, id);
    record_joined(f.has_joined);
    end_event();
  });
}

}  // namespace

void record_waiting() {
  record_pending(live_threads(), [](unsigned) { return abi::Can::wait; });
}

void end_asleep() {
  std::uint64_t waiting = 0;
  for_set(live_threads(), [&](unsigned id) { waiting |= could_go(id) ? 0 : bit(id); });
  record_pending(waiting, [](unsigned) { return abi::Can::wait; });
  end_run(abi::Ending::asleep);
}

void end_listing(abi::WireMove next) {
  const unsigned count = choices_to_give_up(next.thread);
  record_pending(live_threads(), [&](unsigned id) {
    if (can_go(id)) return abi::Can::proceed;
    return id == next.thread && count == 0 ? abi::Can::time_out : abi::Can::wait;
  });
  if (fiber(next.thread).status == Status::spinning) {
    begin_waiting(next.thread, abi::Can::time_out, 1, fiber(next.thread).site);
    end_event();
  }
  if (count != 0) {
    begin_waiting(next.thread, abi::Can::proceed, static_cast<std::uint16_t>(count),
                  fiber(next.thread).site);
    record_time_out();
    end_event();
  }
  end_run(abi::Ending::stopped);
}

void end_held() {
  record_waiting();
  end_run(abi::Ending::held);
}

void choose_to_give_up(abi::WireMove move, unsigned count) {
  record_waiting();
  begin_event(move, static_cast<std::uint16_t>(count), fiber(move.thread).site);
  ++fiber(move.thread).taken;
  record_time_out();
  if (is_explaining()) note_event(move.thread, fiber(move.thread).pending, true);
  end_event();
  elect(move, limited_threads());
}

}  // namespace heddle::runtime
