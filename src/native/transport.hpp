// What a Session needs of one worker: requests go in, replies come out in the same order, and the
// worker may be gone at any moment.
//
// Implemented by Worker (a process, shared memory), and in tests by a fake that runs in the same
// process and dies, lies or diverges on demand.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "model/schedule.hpp"
#include "native/witness.hpp"
#include "runtime/abi/wire.h"

namespace heddle::native {

// How a worker came to its end.
struct Fate {
  std::string text;              // for reports
  bool took_too_long = false;    // the watchdog ended it
  bool overwrote = false;        // it wrote what no worker writes, and was ended for that
  bool was_sent_signal = false;  // it was killed by a signal that any process can send
  Witness::Cause cause = Witness::Cause::unknown;  // of that signal, if it was
  double time_used = 0;                            // seconds of processor time
};

class Transport {
 public:
  virtual ~Transport() = default;

  // Sends a request, with its moves and those that sleep; a new process is started if there is
  // none. False: there is no room until a reply has been received.
  virtual bool send(const abi::RequestHeader& header, std::span<const Move> moves) = 0;

  // Waits for the oldest reply that has not been received, and copies it. Its `bytes` is the size
  // of the copy; nothing else in it has been checked. Valid until the next call of any function.
  // Null: the worker is gone, and `fate` says how; or no request is in flight.
  virtual const abi::ReplyHeader* receive() = 0;

  // A state becomes known, by the first half of its digest, or none is any more: runs that are to
  // end in known states look them up when they come there.
  virtual void add_known(std::uint64_t key) = 0;
  virtual void forget_known() = 0;

  // Requests sent whose replies have not been received.
  virtual std::uint64_t in_flight() const = 0;

  // As much of the reply to this request as the worker had written when it died: a header followed
  // by events, as many as its size says; nothing else in it has been checked. Null if it had not
  // begun. REQUIRES: the worker is gone, and start_over has not been called since.
  virtual const abi::ReplyHeader* unfinished_reply(std::uint32_t serial) = 0;

  // Whether no process is running.
  virtual bool has_died() = 0;
  // How the process that ended last did so.
  virtual Fate fate() const = 0;
  // Ends the process because it wrote what no worker writes.
  virtual void condemn() = 0;
  // Ends the process and forgets all requests and replies; the next request starts a new one.
  virtual void start_over() = 0;

  // Whether processes that are started from now on are traced, so that Fate::cause is known.
  // Tracing makes them slow.
  virtual void set_witnessed(bool witnessed) = 0;
  // Whether processes that are started from now on show what the program prints; and whether output
  // is shown at all.
  virtual void show_output(bool shown) = 0;
  virtual bool shows_output() const = 0;
  // Waits. Throws Interrupted if the exploration is to stop.
  virtual void pause(double seconds) = 0;

  // The threads of the last run, in the order in which it created them. REQUIRES: nothing is in
  // flight, or the worker is gone.
  virtual std::vector<ThreadId> come_to_be_created() = 0;
};

}  // namespace heddle::native
