#include "broker/socket.hpp"

#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <string>
#include <utility>

#include "base/check.hpp"
#include "broker/error.hpp"

namespace heddle::broker {
namespace {

class Socket : public Stream {
 public:
  explicit Socket(int family) : fd_(socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)) {
    if (fd_ < 0) throw Lost(fmt::format("no socket: {}", std::strerror(errno)));
  }
  ~Socket() override { close(fd_); }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;

  void connect_to(const sockaddr* to, socklen_t size, Clock::time_point deadline) {
    if (::connect(fd_, to, size) == 0) return;
    if (errno != EINPROGRESS && errno != EINTR) throw Lost(std::strerror(errno));
    wait_for(POLLOUT, deadline);
    int error = 0;
    socklen_t length = sizeof error;
    getsockopt(fd_, SOL_SOCKET, SO_ERROR, &error, &length);
    if (error != 0) throw Lost(std::strerror(error));
  }

  // Small messages are sent at once; that the other machine is gone is noticed in the end.
  void prepare() {
    const int yes = 1;
    setsockopt(fd_, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    setsockopt(fd_, SOL_SOCKET, SO_KEEPALIVE, &yes, sizeof yes);
  }

  void write(std::string_view bytes, Clock::time_point deadline) override {
    while (!bytes.empty()) {
      const ssize_t n = send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (n >= 0)
        bytes.remove_prefix(static_cast<std::size_t>(n));
      else
        wait_after_error(POLLOUT, deadline);
    }
  }

  std::size_t read(std::span<char> to, Clock::time_point deadline) override {
    while (true) {
      const ssize_t n = recv(fd_, to.data(), to.size(), 0);
      if (n > 0) return static_cast<std::size_t>(n);
      if (n == 0) throw Lost("the broker closed the connection");
      wait_after_error(POLLIN, deadline);
    }
  }

 private:
  void wait_after_error(short events, Clock::time_point deadline) const {
    if (errno == EAGAIN || errno == EWOULDBLOCK)
      wait_for(events, deadline);
    else if (errno != EINTR)
      throw Lost(fmt::format("the connection broke: {}", std::strerror(errno)));
  }

  void wait_for(short events, Clock::time_point deadline) const {
    while (true) {
      const auto left =
          std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
      if (left <= 0) throw Lost("no answer in time");
      pollfd entry{fd_, events, 0};
      const int n = poll(&entry, 1, static_cast<int>(std::min<std::int64_t>(left, INT_MAX)));
      if (n > 0) return;
      if (n < 0 && errno != EINTR) throw Lost(std::strerror(errno));
    }
  }

  int fd_;
};

std::unique_ptr<Socket> connect_to_path(const Address& address, Clock::time_point deadline) {
  sockaddr_un to{};
  to.sun_family = AF_UNIX;
  if (address.host.size() >= sizeof to.sun_path)
    throw Misuse(fmt::format("the path of {} is too long for a socket", address.text()));
  std::ranges::copy(address.host, to.sun_path);
  auto out = std::make_unique<Socket>(AF_UNIX);
  out->connect_to(reinterpret_cast<const sockaddr*>(&to), sizeof to, deadline);
  return out;
}

bool is_loopback(const sockaddr* address) {
  if (address->sa_family == AF_INET)
    return ntohl(reinterpret_cast<const sockaddr_in*>(address)->sin_addr.s_addr) >> 24 == 127;
  return address->sa_family == AF_INET6 &&
         IN6_IS_ADDR_LOOPBACK(&reinterpret_cast<const sockaddr_in6*>(address)->sin6_addr);
}

struct Found {
  explicit Found(const Address& address) {
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = AI_NUMERICSERV;
    const int error =
        getaddrinfo(address.host.c_str(), std::to_string(address.port).c_str(), &hints, &first);
    if (error != 0) throw Lost(gai_strerror(error));
  }
  ~Found() { freeaddrinfo(first); }
  Found(const Found&) = delete;
  Found& operator=(const Found&) = delete;

  addrinfo* first = nullptr;
};

std::unique_ptr<Socket> connect_to_host(const Address& address, Clock::time_point deadline) {
  const Found found(address);
  std::string why = "it has no address";
  for (const addrinfo* a = found.first; a != nullptr; a = a->ai_next) {
    if (address.loopback_only && !is_loopback(a->ai_addr))
      throw Misuse(fmt::format("{} is not this machine: use rediss:// (TLS)", address.text()));
    try {
      auto out = std::make_unique<Socket>(a->ai_family);
      out->connect_to(a->ai_addr, a->ai_addrlen, deadline);
      out->prepare();
      return out;
    } catch (const Lost& lost) {
      why = lost.what();
    }
  }
  throw Lost(why);
}

}  // namespace

std::unique_ptr<Stream> connect_socket(const Address& address, Clock::time_point deadline) {
  if (address.kind == Address::Kind::unix_socket) return connect_to_path(address, deadline);
  return connect_to_host(address, deadline);
}

}  // namespace heddle::broker
