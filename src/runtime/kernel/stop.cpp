#include "runtime/kernel/stop.hpp"

#include <cstdio>

#include "runtime/kernel/before_main.hpp"
#include "runtime/kernel/current.hpp"
#include "runtime/kernel/findings.hpp"
#include "runtime/kernel/hooks.hpp"
#include "runtime/kernel/trying.hpp"
#include "runtime/wire/channel.hpp"

namespace heddle::runtime {
namespace {

[[noreturn]] void leave_thread(Fiber::Status status) {
  hooks().leave_thread(status);
  __builtin_unreachable();
}

}  // namespace

void end_run(abi::Ending ending) {
  reply().ending = ending;
  Fiber& last_one = current();
  detail::now.fiber = &base_fiber();
  switch_fibers(last_one, base_fiber());
  __builtin_unreachable();
}

void fail(abi::Finding kind, const char* message, const Stack* stack) {
  if (!is_running()) end_before_main(kind, message);
  end_judging();
  if (is_trying()) try_effect();
  note_finding(kind, message, current().site, stack);
  leave_thread(Fiber::Status::failed);
}

void unsupported(const char* what) {
  if (!is_running()) refuse_before_main(what);
  end_judging();
  if (is_trying()) try_effect();
  note_reason(what, current().site);
  end_run(abi::Ending::unsupported);
}

void reach_bound(abi::Bound bound) {
  if (!is_running()) refuse_before_main(abi::bound_texts[static_cast<unsigned>(bound)]);
  end_judging();
  if (is_trying()) try_effect();
  current().bound = bound;
  const bool may_go = bound != abi::Bound::memory && current().in_atomic == 0;
  if (may_go) leave_thread(Fiber::Status::assuming);
  note_bound(current());
  end_run(abi::Ending::cut_off);
}

void stop_assuming() { leave_thread(Fiber::Status::assuming); }

[[gnu::cold]] void end_endless(const Fiber& next, const char* why) {
  note_finding_of(next, abi::Finding::endless, why, next.site);
  end_run(abi::Ending::complete);
}

void end_endless() { end_endless(current(), "a loop goes round too often: perhaps it never ends"); }

[[gnu::cold]] void end_diverged(unsigned id, const char* why) {
  reply().diverged_at = reply().event_count;
  char text[100];
  std::snprintf(text, sizeof text, "thread %u %s", id, why);
  note_reason(text, nullptr);
  end_run(abi::Ending::diverged);
}

}  // namespace heddle::runtime
