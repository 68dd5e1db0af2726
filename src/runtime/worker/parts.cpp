// The registry of what a run changes. Whatever a part of the runtime remembers of a run has to be
// in a row here: it is set up once, cleared before each run that begins at main, and kept by
// savepoints; nothing else is.
//
// Order. Parts are cleared, saved and restored from the first row to the last, and set up from the
// last to the first. So "threads" is last: other parts ask which threads there are, when they are
// cleared or restored; and threads are there before anything else is set up. The image is first: it
// is taken when everything else has been set up.
//
// Savepoints. `save` keeps the memory of the part, and says what has to be undone before that is
// put back (Savepoint::undo): with both, the Savepoint restores the part.
//
// Kinds. A digest of the state of a run (kernel/digest.hpp) is made of all rows of kind `program`:
// by `digest`, which has a normal form of the part, or else of what `save` keeps, as it is. Two
// runs with the same program state do the same from there on, whatever they did before; their
// history differs nearly always, and what is derived follows from the rest. A row of another kind
// that has a `digest` adds what is of the program in it, or what merging runs needs.
#include "runtime/worker/parts.hpp"

#include <cstdint>
#include <iterator>
#include <string_view>
#include <utility>

#include "runtime/api/cancellation.hpp"
#include "runtime/api/exits.hpp"
#include "runtime/api/files.hpp"
#include "runtime/api/keys.hpp"
#include "runtime/api/last_thread.hpp"
#include "runtime/api/library_state.hpp"
#include "runtime/api/locks.hpp"
#include "runtime/api/properties.hpp"
#include "runtime/api/signals.hpp"
#include "runtime/api/system_state.hpp"
#include "runtime/api/threads.hpp"
#include "runtime/kernel/clocks.hpp"
#include "runtime/kernel/condition.hpp"
#include "runtime/kernel/current.hpp"
#include "runtime/kernel/details.hpp"
#include "runtime/kernel/ending.hpp"
#include "runtime/kernel/explain.hpp"
#include "runtime/kernel/findings.hpp"
#include "runtime/kernel/giving_up.hpp"
#include "runtime/kernel/hooks.hpp"
#include "runtime/kernel/incarnations.hpp"
#include "runtime/kernel/mailboxes.hpp"
#include "runtime/kernel/objects.hpp"
#include "runtime/kernel/policy.hpp"
#include "runtime/kernel/recorder.hpp"
#include "runtime/kernel/savepoint.hpp"
#include "runtime/kernel/state_hash.hpp"
#include "runtime/kernel/thread_digest.hpp"
#include "runtime/kernel/thread_life.hpp"
#include "runtime/memory/heap.hpp"
#include "runtime/memory/hidden.hpp"
#include "runtime/memory/image.hpp"
#include "runtime/memory/leaks.hpp"
#include "runtime/memory/memory.hpp"
#include "runtime/memory/pages.hpp"
#include "runtime/memory/shadow.hpp"
#include "runtime/wire/channel.hpp"

namespace heddle::runtime {
namespace {

enum class Kind : std::uint8_t {
  program,  // determines what the program will do
  derived,  // follows from the state of the program
  history,  // how the run came here: differs between runs that reach the same state
};

struct RunPart {
  const char* name;
  Kind kind;
  const char* reason;  // for the kind
  // Each may be left out.
  void (*set_up)() = nullptr;
  void (*clear)() = nullptr;     // to how it was when main began
  bool (*can_save)() = nullptr;  // left out: always
  void (*save)(Savepoint&) = nullptr;
  void (*digest)(StateHash&) = nullptr;
  void (*begin_thread)(unsigned id) = nullptr;  // a new thread gets its initial state
  void (*report)() = nullptr;                   // adds to the reply, at the end of a run
  bool in_trials = true;  // saved for a trial, too, which records nothing and asks the system for
                          // nothing
};

void set_up_threads() {
  set_allocating_for_runtime(true);
  set_up_fibers();
  set_allocating_for_runtime(false);
}

void digest_outcome(StateHash& into) {
  if ((reply().notes & abi::note_outcome) != 0)
    into.add_words(StateHash::Of::outcome, reply().outcome);
}

void report_all_details() {
  if (!is_explaining()) return;
  for_live_blocks(abi::max_threads, [](char* begin, char* end, const abi::Site*) {
    note_early_block(begin, static_cast<std::uint64_t>(end - begin));
  });
  report_details();
}

constexpr RunPart parts[] = {
    {.name = "memory",
     .kind = Kind::program,
     .reason = "the program's variables, and blocks from before main",
     .set_up = [] { take_image(has_engine()); },
     .clear = restore_pages,
     .save = save_pages,
     .digest = digest_pages},
    {.name = "heap",
     .kind = Kind::program,
     .reason = "blocks, and the addresses of the next ones. (Headers say where a block was "
               "allocated, which is history)",
     .clear = restore_freed,
     .save = save_heap,
     .digest = digest_heap,
     .begin_thread = clear_arena},
    {.name = "thread data",
     .kind = Kind::program,
     .reason = "destructors and values that threads have yet to use, and the keys that there are",
     .set_up = remember_keys,
     .clear = restore_keys,
     .save = save_thread_data,
     .digest = digest_thread_data,
     .begin_thread = clear_thread_data},
    {.name = "exit functions",
     .kind = Kind::program,
     .reason = "what is yet to be called, and which thread calls it",
     .set_up = remember_exit_functions,
     .clear = restore_exit_functions,
     .save = save_exit_functions},
    {.name = "signals",
     .kind = Kind::program,
     .reason = "handlers, masks, and what is pending",
     .set_up = remember_signals,
     .clear = restore_signals,
     .save = save_signals,
     .begin_thread = begin_signals},
    {.name = "properties of threads",
     .kind = Kind::program,
     .reason = "the program can ask for them",
     .save = save_properties,
     .begin_thread = begin_properties},
    {.name = "library state",
     .kind = Kind::program,
     .reason = "buffers that functions of the C library return pointers to, and continue from",
     .clear = clear_library_state,
     .save = save_library_state},
    {.name = "files",
     .kind = Kind::program,
     .reason = "which descriptors share a file",
     .clear = clear_files,
     .save = save_files},
    {.name = "system",
     .kind = Kind::program,
     .reason =
         "what is open and mapped, and the identity: the system has it, so that it can only be "
         "kept if it is as main found it",
     .set_up = remember_system,
     .clear = restore_system,
     .can_save = is_system_as_remembered,
     .save =
         [](Savepoint& s) { s.undo([](void*, std::uint64_t) { restore_system(); }, nullptr, 0); },
     .in_trials = false},
    {.name = "reply",
     .kind = Kind::history,
     .reason = "the events so far. But the outcome that the program has reported is a result",
     .clear = clear_recorder,
     .can_save = is_reply_empty,
     .save = save_recorder,
     .digest = digest_outcome,
     .in_trials = false},
    {.name = "exit",
     .kind = Kind::program,
     .reason = "whether the process has ended: threads that are left may then be blocked",
     .clear = clear_ending,
     .save = save_ending,
     .digest = digest_ending},
    {.name = "shadow",
     .kind = Kind::history,
     .reason = "accesses that later ones are compared with, and the data races so far. (Where runs "
               "are merged, data races are judged by stretches)",
     .set_up = set_up_shadow,
     .clear = clear_shadow,
     .save = save_shadow,
     .report = report_races},
    {.name = "findings",
     .kind = Kind::history,
     .reason = "what is wrong with the run so far; a run that has a finding is not saved",
     .clear = clear_findings,
     .can_save = [] { return !has_finding(); },
     .report = report_findings,
     .in_trials = false},
    {.name = "details",
     .kind = Kind::history,
     .reason = "stacks and values of the events so far; runs that have them are not saved",
     .clear = clear_details,
     .report = report_all_details,
     .in_trials = false},
    {.name = "clocks",
     .kind = Kind::history,
     .reason =
         "what happens before what. But not the time that threads see, which is kept in them, "
         "and belongs to the program",
     .set_up = set_up_clocks,
     .clear = clear_clocks,
     .save = save_clocks,
     .digest = digest_times},
    {.name = "conditions",
     .kind = Kind::program,
     .reason = "the threads that wait on them, and the tokens that wake them",
     .clear = clear_conditions,
     .save = save_conditions,
     .digest = digest_conditions},
    {.name = "mailboxes",
     .kind = Kind::program,
     .reason = "messages that are yet to be received, and what threads wait for",
     .clear = clear_mailboxes,
     .save = save_mailboxes,
     .digest = digest_mailboxes},
    {.name = "incarnations",
     .kind = Kind::history,
     .reason = "how often objects have been initialised: names them to the engine, no more. But "
               "steps of merged runs are compared by these names",
     .set_up = set_up_incarnations,
     .clear = clear_incarnations,
     .save = save_incarnations,
     .digest = digest_incarnations},
    {.name = "takings",
     .kind = Kind::history,
     .reason =
         "how often locks have been acquired: shows loops whether other threads noticed a round. "
         "But whether one was, since a thread had it, is of the program",
     .set_up = set_up_takings,
     .clear = clear_takings,
     .save = save_takings,
     .digest = digest_holds},
    {.name = "names of threads",
     .kind = Kind::derived,
     .reason = "the numbers that threads have had, in the order in which they came",
     .clear = clear_names,
     .save = save_names},
    {.name = "policy",
     .kind = Kind::history,
     .reason = "which thread moved last: decides only where no schedule does",
     .clear = clear_policy,
     .save = save_policy},
    {.name = "election",
     .kind = Kind::program,
     .reason = "the thread that has been chosen to time out next",
     .clear = end_election,
     .save = save_election},
    {.name = "threads",
     .kind = Kind::program,
     .reason =
         "stacks, registers, thread-local storage, pending steps, and what loops have to know of "
         "earlier rounds",
     .set_up = set_up_threads,
     .clear = clear_threads,
     .save = save_threads,
     .digest = digest_threads},
};

// The order that is relied on, see above.
constexpr bool are_rows_in_order() {
  for (const RunPart& part : parts)
    if (std::string_view(part.reason).empty()) return false;
  return std::string_view(parts[0].name) == "memory" &&
         std::string_view(parts[std::size(parts) - 1].name) == "threads";
}
static_assert(are_rows_in_order());

constexpr bool have_rows_of_program_digests() {
  for (const RunPart& part : parts)
    if (part.kind == Kind::program && part.digest == nullptr && part.save == nullptr) return false;
  return true;
}
static_assert(have_rows_of_program_digests());

// All of these are loops over the rows that the compiler unrolls: the calls are direct.
template <typename Do>
void for_parts(Do&& what) {
  [&]<std::size_t... k>(std::index_sequence<k...>) {
    (what.template operator()<k>(), ...);
  }(std::make_index_sequence<std::size(parts)>());
}

void reset() {
  for_parts([]<std::size_t k>() {
    if constexpr (parts[k].clear != nullptr) parts[k].clear();
  });
}

void save_parts(Savepoint& into, bool for_trial) {
  for_parts([&]<std::size_t k>() {
    if constexpr (parts[k].save != nullptr)
      if (!for_trial || parts[k].in_trials) parts[k].save(into);
  });
}

bool save(Savepoint& into) {
  bool can = true;
  for_parts([&]<std::size_t k>() {
    if constexpr (parts[k].can_save != nullptr) can = can && parts[k].can_save();
  });
  if (can) save_parts(into, false);
  return can;
}

bool save_for_trial(Savepoint& into) {
  save_parts(into, true);
  return true;
}

// Nothing is compared of a run that has a finding: it may do anything now.
abi::WireDigest digest() {
  bool can = !has_finding();
  for_parts([&]<std::size_t k>() {
    if constexpr (parts[k].kind == Kind::program && parts[k].can_save != nullptr)
      can = can && parts[k].can_save();
  });
  if (!can) return {};
  StateHash hash;
  Savepoint as_it_is(hash);
  for_parts([&]<std::size_t k>() {
    if constexpr (parts[k].digest != nullptr)
      parts[k].digest(hash);
    else if constexpr (parts[k].kind == Kind::program)
      parts[k].save(as_it_is);
  });
  return hash.sum();
}

void report() {
  for_parts([]<std::size_t k>() {
    if constexpr (parts[k].report != nullptr) parts[k].report();
  });
}

void begin_thread(unsigned id) {
  for_parts([&]<std::size_t k>() {
    if constexpr (parts[k].begin_thread != nullptr) parts[k].begin_thread(id);
  });
}

void end_thread() {
  run_thread_destructors();
  if (!is_concurrent()) return;
  end_own_memory();
  change(hidden.ends[current().id]);
}

}  // namespace

void set_up_parts() {
  set_hooks({.reset = reset,
             .save = save,
             .save_for_trial = save_for_trial,
             .digest = digest,
             .report = report,
             .begin_thread = begin_thread,
             .leave_thread = leave_thread,
             .end_thread = end_thread,
             .exit_after_last = exit_after_last,
             .is_cancellation_ignored = is_cancellation_ignored,
             .find_leak = [] { return find_leak(visit_keys); },
             .user_of_state = user_of_state});
  for (std::size_t k = std::size(parts); k-- > 0;)
    if (parts[k].set_up != nullptr) parts[k].set_up();
}

}  // namespace heddle::runtime
