// Reading a reply of a worker, piece by piece.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <type_traits>

#include "base/check.hpp"
#include "runtime/abi/wire.h"

namespace heddle::native {

// Thrown if shared memory contains what no worker writes.
struct Overwritten {};

// Reads a copy, whose header has its length. Throws Overwritten rather than read beyond the copy,
// if its counts say that it has more than fits.
class ReplyReader {
 public:
  explicit ReplyReader(const abi::ReplyHeader& reply)
      : ReplyReader(reinterpret_cast<const char*>(&reply) + sizeof reply,
                    reply.bytes - sizeof reply) {
    HEDDLE_CHECK(reply.bytes >= sizeof reply);  // else it would read beyond the copy
  }

  template <typename T>
  const T& one() {
    return several<T>(1)[0];
  }
  template <typename T>
  std::span<const T> several(std::size_t n) {
    static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= alignof(std::uint64_t));
    if (n > left_ / sizeof(T)) throw Overwritten();
    const T* p = reinterpret_cast<const T*>(at_);
    at_ += n * sizeof(T);
    left_ -= n * sizeof(T);
    return {p, n};
  }
  bool empty() const { return left_ == 0; }
  // All that are left.
  template <typename T>
  std::span<const T> rest() {
    return several<T>(left_ / sizeof(T));
  }
  // A reader of the next `bytes` bytes only.
  ReplyReader part(std::size_t bytes) { return {several<char>(bytes).data(), bytes}; }
  std::string text(std::size_t bytes) {
    const std::span<const char> all = several<char>(bytes);
    return {all.begin(), std::ranges::find(all, '\0')};  // without the padding
  }
  // The events and pending steps that were sent, if the first `known` of the events were not.
  std::span<const abi::WireEvent> events(const abi::ReplyHeader& reply, std::size_t known) {
    const std::size_t sent = reply.event_count - std::min<std::size_t>(reply.event_count, known);
    return several<abi::WireEvent>(sent + reply.waiting_count);
  }

 private:
  ReplyReader(const char* at, std::uint64_t left) : at_(at), left_(left) {}

  const char* at_;
  std::uint64_t left_;
};

// The outcome that the program reported, if it did.
inline std::optional<std::uint64_t> value_of(const abi::ReplyHeader& reply) {
  if ((reply.notes & abi::note_outcome) == 0) return std::nullopt;
  return reply.outcome;
}

}  // namespace heddle::native
