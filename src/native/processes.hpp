// The processes of a worker, as the system sees them: the worker itself and, if each run has a
// process of its own, its child.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <vector>

namespace heddle::native {

// The process and its descendants: first itself, then those that it started, and so on.
std::vector<pid_t> family_of(pid_t process);

// The state as a letter: R, S, T or another; S if it cannot be read.
char state_of(pid_t process);

// The processor time that it has used.
std::chrono::nanoseconds time_used(pid_t process);

// The number of processes that the system has killed so far because memory ran out.
std::uint64_t ended_for_memory();

// From now on, orphaned descendants become children of this process.
void adopt_orphans();
// Kills the orphans in this process group, whose leader has ended.
void end_orphans(pid_t group);
// Kills a child of this process, and all its descendants.
void end_family(pid_t child);

// Decides whether a silent process still makes progress. One that waits for a processor does, and
// so does one that was stopped, which is then continued. What counts is the processor time that it
// uses, or how long it sleeps and uses none; not the time that passes, because this process may
// have been stopped as well.
class Watchdog {
 public:
  explicit Watchdog(pid_t process) : process_(process) {}

  static constexpr long look_every_ns = 50'000'000;
  // Call it every `look_every_ns`. `progress` is a number that changes whenever the run has
  // advanced.
  bool has_enough(std::uint64_t progress);

 private:
  pid_t process_;
  std::vector<pid_t> family_;
  std::uint64_t progress_ = 0;
  std::chrono::nanoseconds used_{}, used_before_{};
  long idle_ = 0;  // looks in a row at which it slept and had used no time
};

}  // namespace heddle::native
