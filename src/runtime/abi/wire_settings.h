// The protocol, third part: how runs are made (see wire.h).
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/abi/wire_runs.h"

namespace heddle::abi {

enum class Races : std::uint32_t { report, explore };
enum class Timeouts : std::uint32_t { last_resort, explore };
enum class Savepoints : std::uint32_t { worthwhile, always, never };

inline constexpr std::uint32_t max_nondet = 64;
inline constexpr std::uint32_t max_visible = 1U << 14;
inline constexpr std::uint32_t max_pardoned = 1U << 12;
inline constexpr std::uint64_t at_exit = 0;  // no granule
// Of a cube. Each split adds one, so this is how often one part can have been split: with halves of
// about the same size, sixty times is more parts than can ever be run; four times that is left for
// splits that are not even.
inline constexpr std::uint32_t max_waits = 256;

// The step `second_index` of a thread, as the events of a run are counted from 0 in each thread, is
// not enabled before the step `first_index` of another has been taken (model/cube.hpp). Threads by
// their numbers in Names; one that does not exist has taken no step.
struct WireWait {
  std::uint16_t first_thread, second_thread;
  std::uint32_t first_index, second_index;
};
static_assert(sizeof(WireWait) == 12);

// How to run the program; the same for all runs of an exploration.
struct Settings {
  std::uint32_t step_limit;
  Races races;
  Timeouts timeouts;
  Savepoints savepoints;
  std::uint8_t spurious_wakeups, fork_each, all_visible;
  std::uint8_t semaphore_values;  // are read: so each change of one is an event of its own
  std::uint8_t block_choices;     // are made: so an atomic block may have several alternatives
  std::uint8_t kill_at_exit;      // threads that are left when the process ends
  // Two writes are ordered only if an event sees it: so what sees them is an event.
  std::uint8_t observers;
  std::uint32_t waiting_rounds;  // rounds of a loop before a thread that only waits in it is
                                 // stopped
  std::uint32_t nondet_count;
  std::int64_t nondet[max_nondet];
  // Memory whose plain accesses are events: granules and masks. And at_exit: what reads memory when
  // the process ends is an event, too.
  std::uint32_t visible_count;
  std::uint64_t visible[max_visible];
  // Data races that are not findings, by the name of the two stacks, or of the stacks with the
  // memory; sorted.
  std::uint32_t pardoned_count;
  std::uint64_t pardoned[max_pardoned];
  // The part of the schedules that is run.
  std::uint32_t wait_count;
  WireWait waits[max_waits];
};

// The environment variable with the name of a file that has one run to make, for a program that is
// started by hand: this, and the moves.
inline constexpr char run_variable[] = "HEDDLE_RUN";
struct RunFile {
  std::uint32_t version, unused;
  Settings settings;
  RequestHeader request;
};

}  // namespace heddle::abi
