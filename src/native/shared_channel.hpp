// The engine's end of the channel to one worker process. The worker has the same memory, and so
// does the program in it, which may write where it must not: what is read here is copied, and
// checked before it is believed.
#pragma once

#include <vector>

#include "native/reply.hpp"
#include "runtime/wire/ring.hpp"

namespace heddle::native {

class SharedChannel {
 public:
  // Throws Misuse if there is no memory for it.
  SharedChannel();
  ~SharedChannel();
  SharedChannel(const SharedChannel&) = delete;
  SharedChannel& operator=(const SharedChannel&) = delete;

  int file() const { return fd_; }
  abi::Channel& shared() { return *shared_; }
  abi::RingEnd& requests() { return requests_; }
  abi::RingEnd& replies() { return replies_; }

  // Throws Overwritten if the counters of the rings cannot be.
  void check();

  // A number that changes whenever the run in progress has come further.
  std::uint64_t progress() const;

  // Copies the oldest reply, of which there is one, with a header that can be believed as to its
  // length. Throws Overwritten.
  void copy_reply(std::vector<std::uint64_t>& into);
  // Copies the header and the events of the reply that was being written when the process died: as
  // many as the header says, which is not checked, but for its length.
  void copy_unfinished(std::vector<std::uint64_t>& into) const;

 private:
  void* map(std::uint64_t offset, std::uint64_t size);
  char* map_ring(std::uint64_t offset, std::uint64_t size);
  void unmap();

  int fd_ = -1;
  abi::Channel* shared_ = nullptr;
  char *request_memory_ = nullptr, *reply_memory_ = nullptr;
  abi::RingEnd requests_, replies_;
};

}  // namespace heddle::native
