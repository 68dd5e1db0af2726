// A client of a broker (Redis 7 or later, or Valkey): one connection, made again when it breaks.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "broker/address.hpp"
#include "broker/resp.hpp"
#include "broker/stream.hpp"

namespace heddle::broker {

// Thrown instead of Lost if the caller wants to wait no longer.
class Interrupted : public Error {
 public:
  using Error::Error;
};

class Client {
 public:
  using Duration = std::chrono::milliseconds;
  struct Settings {
    Duration connecting{5'000};     // at most, for one attempt
    Duration answering{30'000};     // at most, beside what a command itself waits
    Duration patience{600'000};     // how long the broker may be out of reach
    Duration longest_pause{2'000};  // between attempts; they begin with a fiftieth of that
    // Asked between attempts. Must return soon.
    std::function<bool()> is_interrupted = [] { return false; };
  };

  explicit Client(Address address, Settings settings);
  explicit Client(Address address) : Client(std::move(address), Settings()) {}

  // Sends the commands at once and returns their answers, none of which is a failure. Throws Lost,
  // Refused or Malformed; Misuse if the broker does not accept user, password or database.
  // `waiting` is how long the commands themselves may wait.
  std::vector<Value> try_all(std::span<const Command> commands, Duration waiting = Duration(0));
  Value try_one(const Command& command, Duration waiting = Duration(0));

  // Calls the function, again after each Lost and a pause, until it returns, is_interrupted says so
  // (throws Interrupted) or patience ends (throws Lost). What it asks may be done twice.
  template <typename Function>
  auto retry(Function function) {
    for (Pauses pauses(*this);; pauses.next()) try {
        return function();
      } catch (const Lost& lost) {
        pauses.note(lost);
      }
  }
  // try_all and try_one with retry.
  std::vector<Value> all(std::span<const Command> commands);
  Value one(const Command& command);

  // Makes a connection if there is none. Throws as try_all.
  void ensure_connected();
  // How often a connection was made, and since when this one lasts, if there is one.
  unsigned connections() const { return connections_; }
  std::optional<Clock::time_point> connected_since() const;
  bool is_interrupted() const { return settings_.is_interrupted(); }
  const Address& address() const { return address_; }

 private:
  struct Connection;
  class Pauses {
   public:
    explicit Pauses(Client& client);
    void note(const Lost& lost) { why_ = lost.what(); }
    void next();

   private:
    Client& client_;
    Clock::time_point end_;
    Duration pause_;
    std::string why_;
  };

  void connect();
  void log_in();
  std::vector<Value> exchange(std::span<const Command> commands, Clock::time_point deadline);

  Address address_;
  Settings settings_;
  Random random_;  // so that all workers do not return at the same moment
  std::shared_ptr<Connection> connection_;
  unsigned connections_ = 0;
};

}  // namespace heddle::broker
