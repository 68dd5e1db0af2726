// Processes of this machine that work for one job, each with an engine and a client of its own.
#pragma once

#include <sys/types.h>

#include <csignal>
#include <functional>
#include <vector>

#include "base/resources.hpp"
#include "broker/job.hpp"

namespace heddle::cluster {

class Crew {
 public:
  // Works until the job has ended, or `leaves` is not 0. Called in each process. What it throws is
  // thrown again by `tend`.
  using Work = std::function<broker::State(const volatile std::sig_atomic_t& leaves)>;

  Crew(unsigned engines, Work work);
  ~Crew();  // ends all of them
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  // Starts a process again if it was killed. To be called a few times a second. False: all have
  // ended, because the job has. Throws Misuse or Bug if one of them did.
  bool tend();
  // Has them all return what they explore, and end.
  void leave();

 private:
  struct Member {
    pid_t pid = 0;  // 0: it was killed, and is to be started again
    bool has_ended = false;
    double started_at = 0;
  };

  void start(Member& member);
  [[noreturn]] void become_member();
  bool reap(Member& member, bool waits);
  void hear();

  const Work work_;
  int listening_ = -1, telling_ = -1;  // the two ends of a pipe
  std::vector<Member> members_;
  Stopwatch now_;
};

}  // namespace heddle::cluster
