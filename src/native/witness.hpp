// Sees how the processes of a worker end: by what they do, or by what others do to them.
//
// SIGKILL does not say who sent it. But who sends it to itself is in a call of the system by which
// that is done. To look at that takes tracing the process, which makes it slow: so that is for runs
// in which one has died before.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <vector>

namespace heddle::native {

class Witness {
 public:
  // A child of this process that has just been started, and all that it will start. Nothing is seen
  // if the system does not allow it.
  void follow(pid_t child);
  bool follows() const { return !followed_.empty(); }

  // Continues those that have stopped to be looked at: to be called often. Signals that other
  // processes send do not reach them, as far as that can be helped.
  void look();
  // The same for one of which this is what `wait` said.
  void handle(pid_t process, int status);

  enum class Cause : std::uint8_t { unknown, itself, others };
  // Of the end of the one that first ended badly.
  Cause cause() const { return cause_; }

 private:
  void note_end(pid_t process);

  std::vector<pid_t> followed_;  // the child is the first
  Cause cause_ = Cause::unknown;
};

}  // namespace heddle::native
