// The engine's end of the channel to one worker process. The worker maps the same memory, and so
// does the program in it, which may write where it must not: what is read here is copied, and
// checked before it is used.
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

  // Throws Overwritten if the counters of the rings are impossible.
  void check();

  // A number that changes whenever the current run has advanced.
  std::uint64_t progress() const;

  // Copies the oldest reply; `bytes` in its header is the size of the copy. Throws Overwritten.
  // REQUIRES: the ring of replies is not empty.
  void copy_reply(std::vector<std::uint64_t>& into);
  // Copies the header and the events of the reply that was being written when the process died: as
  // many as the header says, of which only the length is checked.
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
