// A network that cuts connections, for tests.
#pragma once

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/check.hpp"
#include "base/random.hpp"

namespace heddle::broker {

// Passes on what it receives on a unix socket, and cuts each connection after some bytes.
class Proxy {
 public:
  Proxy(const std::string& from, std::string to) : to_(std::move(to)), listener_(open_socket()) {
    const sockaddr_un address = address_of(from);
    HEDDLE_CHECK(bind(listener_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
    HEDDLE_CHECK(listen(listener_, 64) == 0);
    thread_ = std::thread([this] { serve(); });
  }
  ~Proxy() {
    ends_ = true;
    thread_.join();
    while (!lines_.empty()) drop(lines_.begin()->first);
    close(listener_);
  }
  int cuts() const { return cuts_; }

 private:
  struct Line {
    int peer;
    std::shared_ptr<std::size_t> left;  // bytes, of both directions
  };

  static int open_socket() { return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0); }
  static sockaddr_un address_of(const std::string& path) {
    sockaddr_un out{};
    out.sun_family = AF_UNIX;
    std::ranges::copy(path, out.sun_path);
    return out;
  }

  void accept_one() {
    const int near = accept(listener_, nullptr, nullptr), far = open_socket();
    const sockaddr_un address = address_of(to_);
    HEDDLE_CHECK(::connect(far, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
    const auto left = std::make_shared<std::size_t>(1 + random_.below(20'000));
    lines_[near] = {far, left};
    lines_[far] = {near, left};
  }

  void drop(int fd) {
    const int peer = lines_.at(fd).peer;
    for (const int one : {fd, peer}) {
      close(one);
      lines_.erase(one);
    }
  }

  void pass_on(int fd) {
    Line& line = lines_.at(fd);
    std::array<char, 4096> bytes{};
    const ssize_t n = recv(fd, bytes.data(), std::min(bytes.size(), *line.left), 0);
    if (n > 0) (void)!send(line.peer, bytes.data(), static_cast<std::size_t>(n), MSG_NOSIGNAL);
    if (n > 0) *line.left -= static_cast<std::size_t>(n);
    if (n > 0 && *line.left > 0) return;
    if (n > 0) ++cuts_;
    drop(fd);
  }

  void serve() {
    while (!ends_) {
      std::vector<pollfd> all = {{listener_, POLLIN, 0}};
      for (const auto& [fd, line] : lines_) all.push_back({fd, POLLIN, 0});
      if (poll(all.data(), all.size(), 20) <= 0) continue;
      for (const pollfd& one : all)
        if (one.revents != 0 && one.fd != listener_ && lines_.contains(one.fd)) pass_on(one.fd);
      if (all[0].revents != 0) accept_one();
    }
  }

  std::string to_;
  int listener_;
  Random random_{5};
  std::map<int, Line> lines_;
  std::atomic<bool> ends_ = false;
  std::atomic<int> cuts_ = 0;
  std::thread thread_;
};

}  // namespace heddle::broker
