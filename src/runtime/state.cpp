#include "runtime/state.hpp"

#include "runtime/channel.hpp"
#include "runtime/clocks.hpp"
#include "runtime/condition.hpp"
#include "runtime/ending.hpp"
#include "runtime/exits.hpp"
#include "runtime/files.hpp"
#include "runtime/findings.hpp"
#include "runtime/heap.hpp"
#include "runtime/keys.hpp"
#include "runtime/library_state.hpp"
#include "runtime/locks.hpp"
#include "runtime/objects.hpp"
#include "runtime/pages.hpp"
#include "runtime/properties.hpp"
#include "runtime/recorder.hpp"
#include "runtime/scheduler.hpp"
#include "runtime/shadow.hpp"
#include "runtime/signals.hpp"
#include "runtime/system.hpp"
#include "runtime/threads.hpp"

namespace heddle::runtime {

void reset_state() {
  restore_pages();
  restore_freed();
  restore_keys();
  restore_exit_functions();
  restore_signals();
  clear_library_state();
  clear_files();
  restore_system();
  clear_recorder();
  clear_findings();
  clear_ending();
  clear_shadow();
  clear_clocks();
  clear_conditions();
  clear_incarnations();
  clear_takings();
  clear_scheduler();
}

bool save_state(Savepoint& into) {
  if (has_finding() || !is_reply_empty() || !is_system_as_remembered()) return false;
  into.undo([](void*, std::uint64_t) { restore_system(); }, nullptr, 0);
  save_recorder(into);
  return save_state_for_trial(into);
}

bool save_state_for_trial(Savepoint& into) {
  save_pages(into);
  save_heap(into);
  save_threads(into);
  save_exit_functions(into);
  save_signals(into);
  save_properties(into);
  save_library_state(into);
  save_files(into);
  save_ending(into);
  save_shadow(into);
  save_clocks(into);
  save_conditions(into);
  save_incarnations(into);
  save_takings(into);
  save_scheduler(into);
  return true;
}

}  // namespace heddle::runtime
