// The processes of a worker, as the system sees them: itself and, with one for each run, its child.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <vector>

namespace heddle::native {

// It comes first, then those that it started, and so on.
std::vector<pid_t> family_of(pid_t process);

// R, S, T or another letter; where there is no telling, it sleeps.
char state_of(pid_t process);

// How long it has had a processor for itself.
std::chrono::nanoseconds time_used(pid_t process);

// How many processes the system has ended so far because there was no memory left.
std::uint64_t ended_for_memory();

// From now on, processes whose parents end are ours.
void adopt_orphans();
// Ends those whose parent was the first of this group, which has ended.
void end_orphans(pid_t group);
// Ends a child of ours, and all that it started.
void end_family(pid_t child);

// Whether a process of which nothing is heard still gets anywhere. One that waits for a busy
// machine does, and so does one that was stopped, which is then continued. What counts is the
// time that it uses, or that it sleeps and uses none; and not the time that passes, as this process
// may have been stopped as well.
class Watchdog {
 public:
  explicit Watchdog(pid_t process) : process_(process) {}

  static constexpr long look_every_ns = 50'000'000;
  // To be asked as often. The number is another whenever the run got somewhere.
  bool has_enough(std::uint64_t progress);

 private:
  pid_t process_;
  std::vector<pid_t> family_;
  std::uint64_t progress_ = 0;
  std::chrono::nanoseconds used_{}, used_before_{};
  long idle_ = 0;  // how often
};

}  // namespace heddle::native
