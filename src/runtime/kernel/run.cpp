#include "runtime/kernel/run.hpp"

#include "runtime/kernel/current.hpp"
#include "runtime/kernel/details.hpp"
#include "runtime/kernel/digest.hpp"
#include "runtime/kernel/ending.hpp"
#include "runtime/kernel/explain.hpp"
#include "runtime/kernel/hooks.hpp"
#include "runtime/kernel/pardons.hpp"
#include "runtime/kernel/pending.hpp"
#include "runtime/kernel/policy.hpp"
#include "runtime/kernel/recorder.hpp"
#include "runtime/kernel/savepoint.hpp"
#include "runtime/kernel/scheduler.hpp"
#include "runtime/kernel/stretches.hpp"
#include "runtime/kernel/thread_life.hpp"
#include "runtime/kernel/thread_sets.hpp"
#include "runtime/kernel/trial.hpp"
#include "runtime/kernel/visible.hpp"
#include "runtime/kernel/waits.hpp"
#include "runtime/sys/check.hpp"
#include "runtime/wire/channel.hpp"

namespace heddle::runtime {
namespace {

// What the request asks for.
void read_request(bool from_main) {
  follow(request(), moves(), settings().step_limit, next_savepoint());
  begin_stretches(from_main);
  if (request().seed != 0) seed_policy(request().seed);
  begin_explaining(request().then == abi::Then::explain);
  if (is_explaining()) map_details();
}

// From the base fiber, until the run is over.
void run_from(Fiber& first) {
  detail::now.fiber = &first;
  detail::now.running = true;
  switch_fibers(base_fiber(), first);
  for (Errand errand = take_errand(); errand.save || errand.ask; errand = take_errand()) {
    if (errand.save) make_savepoint(hooks().save);
    if (errand.ask) answer(would_spinner_continue(live_threads()));
    switch_fibers(base_fiber(), current());
  }
  end_event();
  HEDDLE_RUNTIME_CHECK(!is_trying() && !is_gluing());
  if (is_stuck()) {
    record_waiting();
    reply().ending = judge_stuck(live_threads());
  }
  detail::now.fiber = nullptr;
  detail::now.running = detail::now.concurrent = false;
  if (is_explaining()) settle_accesses();
  report_digests();
  report_stretches();
  hooks().report();
}

}  // namespace

void run_program(void* (*main_function)(void*)) {
  if (settings_changed()) {
    set_visible();
    set_pardons();
    set_waits();
    drop_savepoints();
  }
  set_clearing_stacks(request().compare != abi::Compare::nothing);
  if (rewind_for_request()) {
    resume_recording();
    read_request(false);
    return run_from(current());
  }
  hooks().reset();
  read_request(true);
  begin_first_thread(main_function);
  run_from(fiber(0));
}

}  // namespace heddle::runtime
