#include "runtime/kernel/time_limit.hpp"

#include "runtime/kernel/clocks.hpp"
#include "runtime/kernel/current.hpp"
#include "runtime/kernel/polling.hpp"

namespace heddle::runtime {

void advance_clock_to(std::uint64_t time) {
  std::uint64_t& now = time_of(current().id);
  if (now < time && time < end_of_time) now = time;
}

void reach(TimeLimit limit) {
  const std::uint64_t later = pass_limit(current());
  advance_clock_to(sum_of_times(limit.deadline, later));
}

}  // namespace heddle::runtime
