#include "parallel/message.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <span>

#include "base/check.hpp"

namespace heddle::parallel {
namespace {

using Length = std::uint32_t;

}  // namespace

Connection::~Connection() {
  if (fd_ >= 0) close(fd_);
}

Connection::Connection(Connection&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)), arrived_(std::move(other.arrived_)) {}

std::pair<Connection, Connection> Connection::pair() {
  int fds[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) != 0)
    throw Misuse(fmt::format("cannot start an engine: socketpair: {}", std::strerror(errno)));
  return {Connection(fds[0]), Connection(fds[1])};
}

bool Connection::send(const Json& message) {
  std::string bytes(sizeof(Length), '\0');
  Json::to_cbor(message, bytes);
  const Length length = static_cast<Length>(bytes.size() - sizeof(Length));
  HEDDLE_CHECK(length == bytes.size() - sizeof(Length));
  std::memcpy(bytes.data(), &length, sizeof length);
  for (std::size_t sent = 0; sent < bytes.size();) {
    const ssize_t n = ::send(fd_, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
    if (n < 0 && errno != EINTR) return false;
    if (n > 0) sent += static_cast<std::size_t>(n);
  }
  return true;
}

bool Connection::fill() {
  char buffer[65536];
  for (;;) {
    const ssize_t n = recv(fd_, buffer, sizeof buffer, MSG_DONTWAIT);
    if (n > 0) arrived_.append(buffer, static_cast<std::size_t>(n));
    if (n == 0) return false;
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno == EAGAIN || errno == EWOULDBLOCK;
  }
}

std::optional<Json> Connection::next() {
  Length length = 0;
  if (arrived_.size() < sizeof length) return {};
  std::memcpy(&length, arrived_.data(), sizeof length);
  if (arrived_.size() - sizeof length < length) return {};
  Json out = Json::from_cbor(std::span(arrived_).subspan(sizeof length, length));
  arrived_.erase(0, sizeof length + length);
  return out;
}

std::optional<Json> Connection::wait() {
  for (;;) {
    if (auto message = next()) return message;
    pollfd waiting{fd_, POLLIN, 0};
    if (poll(&waiting, 1, -1) < 0 && errno != EINTR)
      throw Bug(fmt::format("poll: {}", std::strerror(errno)));
    if (!fill()) return next();
  }
}

}  // namespace heddle::parallel
