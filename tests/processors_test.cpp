#include "base/processors.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>

namespace heddle {
namespace {

// In a process of its own, as it cannot be taken back.
bool holds_elsewhere(const std::function<bool()>& holds) {
  const pid_t child = fork();
  if (child == 0) _exit(holds() ? 0 : 1);
  int status = 0;
  return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST(Processors, AreSharedByAsManyProcesses) {
  const unsigned all = processors();
  for (unsigned k = 0; k < 2 * all; ++k)
    EXPECT_TRUE(holds_elsewhere([&] {
      const cpu_set_t before = processors_at_start();
      take_processor(k, all);
      cpu_set_t now;
      if (sched_getaffinity(0, sizeof now, &now) != 0 || CPU_COUNT(&now) != 1) return false;
      unsigned lower = 0;  // of those that there were
      for (std::size_t p = 0; !CPU_ISSET(p, &now); ++p) lower += CPU_ISSET(p, &before) ? 1 : 0;
      return lower == k % all && has_one_processor() && processors() == all &&
             CPU_EQUAL(&before, &processors_at_start());
    })) << k;
}

bool may_use_all() {
  cpu_set_t now;
  return sched_getaffinity(0, sizeof now, &now) == 0 && CPU_EQUAL(&now, &processors_at_start());
}

TEST(Processors, AreLeftToTheSystemOtherwise) {
  const unsigned all = processors();
  if (all == 1) return;
  EXPECT_TRUE(holds_elsewhere([&] {
    take_processor(0, all - 1);
    return may_use_all() && !has_one_processor();
  }));
}

}  // namespace
}  // namespace heddle
