// Reading a reply of a worker, piece by piece.
#pragma once

#include <span>
#include <string>

#include "runtime/wire.h"

namespace heddle::native {

class ReplyReader {
 public:
  explicit ReplyReader(const abi::ReplyHeader& reply)
      : at_(reinterpret_cast<const char*>(&reply) + sizeof reply) {}

  template <typename T>
  const T& one() {
    const T* p = reinterpret_cast<const T*>(at_);
    at_ += sizeof(T);
    return *p;
  }
  template <typename T>
  std::span<const T> several(std::size_t n) {
    const T* p = reinterpret_cast<const T*>(at_);
    at_ += n * sizeof(T);
    return {p, n};
  }
  std::string text(std::size_t bytes) {
    std::string s(several<char>(bytes).data(), bytes);
    return s.c_str();  // without the padding
  }
  const char* at() const { return at_; }

  // Calls visit(event, accesses) for each event and each step that waits.
  template <typename Visit>
  void events(const abi::ReplyHeader& reply, Visit visit) {
    for (std::size_t k = 0; k < reply.event_count + reply.waiting_count; ++k) {
      const auto& event = one<abi::WireEvent>();
      visit(event, several<abi::WireAccess>(event.access_count));
    }
  }

 private:
  const char* at_;
};

}  // namespace heddle::native
