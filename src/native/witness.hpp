// Finds out why the processes of a worker end: by their own doing, or by that of another process.
//
// SIGKILL does not say which process sent it. But a process that sends it to itself is in a system
// call that does so. Seeing that takes tracing the process, which makes it slow: so it is done only
// for runs in which a process has died before.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <vector>

namespace heddle::native {

class Witness {
 public:
  // Traces a child of this process that has just been started, and all its descendants. Does
  // nothing if the system does not allow it.
  void follow(pid_t child);
  bool follows() const { return !followed_.empty(); }

  // Continues traced processes that have stopped. Call it often. Signals from other processes are
  // not delivered to them, as far as that can be prevented.
  void look();
  // The same for one process, whose status `wait` returned.
  void handle(pid_t process, int status);

  enum class Cause : std::uint8_t { unknown, itself, others };
  // The cause of the first abnormal end.
  Cause cause() const { return cause_; }

 private:
  void note_end(pid_t process);

  std::vector<pid_t> followed_;  // the child is the first
  Cause cause_ = Cause::unknown;
};

}  // namespace heddle::native
