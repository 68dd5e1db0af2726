// A connection as a stream of bytes: a socket, or TLS over one.
#pragma once

#include <chrono>
#include <cstddef>
#include <span>
#include <string_view>

namespace heddle::broker {

using Clock = std::chrono::steady_clock;

// The functions throw Lost if the connection breaks or the time is over; after that, the stream is
// of no more use. No signal is raised if the other side has gone away.
class Stream {
 public:
  virtual ~Stream() = default;
  virtual void write(std::string_view bytes, Clock::time_point deadline) = 0;
  // At least one byte; returns how many.
  virtual std::size_t read(std::span<char> to, Clock::time_point deadline) = 0;
};

}  // namespace heddle::broker
