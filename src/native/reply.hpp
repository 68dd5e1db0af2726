// Reading a reply of a worker, piece by piece.
#pragma once

#include <algorithm>
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

  // The events, and steps that wait, if so many of the events are known.
  std::span<const abi::WireEvent> events(const abi::ReplyHeader& reply, std::size_t known) {
    const std::size_t sent = reply.event_count - std::min<std::size_t>(reply.event_count, known);
    return several<abi::WireEvent>(sent + reply.waiting_count);
  }

 private:
  const char* at_;
};

}  // namespace heddle::native
