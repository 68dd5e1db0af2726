// Reading a reply of a worker, piece by piece.
#pragma once

#include <algorithm>
#include <span>
#include <string>

#include "native/shared_channel.hpp"
#include "runtime/wire.h"

namespace heddle::native {

// Of a copy, whose header tells how long it is. Throws Overwritten if it is too short for what it
// is said to have.
class ReplyReader {
 public:
  explicit ReplyReader(const abi::ReplyHeader& reply)
      : at_(reinterpret_cast<const char*>(&reply) + sizeof reply),
        left_(reply.bytes - sizeof reply) {}

  template <typename T>
  const T& one() {
    return several<T>(1)[0];
  }
  template <typename T>
  std::span<const T> several(std::size_t n) {
    if (n > left_ / sizeof(T)) throw Overwritten();
    const T* p = reinterpret_cast<const T*>(at_);
    at_ += n * sizeof(T);
    left_ -= n * sizeof(T);
    return {p, n};
  }
  std::string text(std::size_t bytes) {
    std::string s(several<char>(bytes).data(), bytes);
    return s.c_str();  // without the padding
  }
  // The events, and steps that wait, if so many of the events are known.
  std::span<const abi::WireEvent> events(const abi::ReplyHeader& reply, std::size_t known) {
    const std::size_t sent = reply.event_count - std::min<std::size_t>(reply.event_count, known);
    return several<abi::WireEvent>(sent + reply.waiting_count);
  }

 private:
  const char* at_;
  std::uint64_t left_;
};

}  // namespace heddle::native
