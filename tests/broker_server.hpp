// A broker for tests: redis-server in a temporary directory, reached by a unix socket, and killed
// with the test. What it has answered is in its file; a test that wants it to forget sees to that.
#pragma once

#include <arpa/inet.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "base/check.hpp"
#include "base/files.hpp"
#include "broker/client.hpp"
#include "broker/worker.hpp"

namespace heddle::broker {

// Waits until it holds. That it never does is noticed by the time limit of the test.
template <typename Condition>
void wait_until(Condition condition) {
  while (!condition()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
}

inline pid_t start_process(const std::vector<std::string>& words, const std::string& log) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const pid_t pid = fork();
  if (pid != 0) return pid;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const int fd = open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0666);
  dup2(fd, STDOUT_FILENO);
  dup2(fd, STDERR_FILENO);
  execvp(arguments[0], arguments.data());
  _exit(127);
}

// Runs a command to its end.
inline void run_command(const std::vector<std::string>& words, const std::string& log) {
  int status = 0;
  waitpid(start_process(words, log), &status, 0);
  if (status != 0) throw Bug(words[0] + " failed: " + read_file(log));
}

// A port that is free now.
inline std::uint16_t free_port() {
  const int fd = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  HEDDLE_CHECK(bind(fd, reinterpret_cast<sockaddr*>(&address), size) == 0);
  HEDDLE_CHECK(getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) == 0);
  close(fd);
  return ntohs(address.sin_port);
}

class TestBroker {
 public:
  explicit TestBroker(std::vector<std::string> options = {}) : options_(std::move(options)) {
    start();
  }
  ~TestBroker() { kill_it(); }
  TestBroker(const TestBroker&) = delete;
  TestBroker& operator=(const TestBroker&) = delete;

  std::string path(const std::string& name) const { return (directory_.path() / name).string(); }

  Address address() const { return {.kind = Address::Kind::unix_socket, .host = path("socket")}; }

  void kill_it() {
    if (pid_ <= 0) return;
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
    pid_ = -1;
  }

  // Until it has read what it stored.
  void start() {
    std::vector<std::string> words = {"redis-server",
                                      "--port",
                                      "0",
                                      "--unixsocket",
                                      path("socket"),
                                      "--appendonly",
                                      "yes",
                                      "--appendfsync",
                                      "always",
                                      "--save",
                                      "",
                                      "--dir",
                                      directory_.path().string()};
    words.insert(words.end(), options_.begin(), options_.end());
    pid_ = start_process(words, path("log"));
    Client client(address());
    wait_until([&] {
      if (waitpid(pid_, nullptr, WNOHANG) == pid_)
        throw Bug("redis-server ended: " + read_file(path("log")));
      try {
        client.try_one({"PING"});
        return true;
      } catch (const Lost&) {
        return false;
      }
    });
  }

 private:
  TemporaryDirectory directory_;
  std::vector<std::string> options_;
  pid_t pid_ = -1;
};

inline Checkpoint small_job() {
  return {.identity = {{"program", "abc"}, {"options", "--x"}}, .knowledge = "k1", .root = "[]"};
}

// Claims are lost almost at once.
inline Worker::Settings hasty() {
  Worker::Settings out;
  out.heartbeat = std::chrono::milliseconds(0);
  out.expiry = std::chrono::hours(1);
  out.silence = std::chrono::milliseconds(1);
  out.waiting = std::chrono::milliseconds(10);
  return out;
}

// Claims of others are left alone.
inline Worker::Settings patient() {
  Worker::Settings out = hasty();
  out.silence = std::chrono::hours(1);
  return out;
}

}  // namespace heddle::broker
