// Messages between a process and the engines that it has started.
#pragma once

#include <optional>
#include <string>

#include "parallel/engine.hpp"

namespace heddle::parallel {

// One end of a connection. Each message arrives whole.
class Connection {
 public:
  explicit Connection(int fd) : fd_(fd) {}
  ~Connection();
  Connection(Connection&& other) noexcept;
  Connection& operator=(Connection&&) = delete;

  // Two ends that are connected.
  static std::pair<Connection, Connection> pair();

  int fd() const { return fd_; }

  // False: the other end is closed.
  bool send(const Json& message);
  // Takes in what has arrived, without waiting. False: the other end is closed.
  bool fill();
  // The next message that has arrived whole.
  std::optional<Json> next();
  // Waits for a message. None: the other end is closed.
  std::optional<Json> wait();

 private:
  int fd_;
  std::string arrived_;
};

}  // namespace heddle::parallel
