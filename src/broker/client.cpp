#include "broker/client.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <thread>

#include "base/check.hpp"
#include "broker/socket.hpp"
#include "broker/tls.hpp"

namespace heddle::broker {
namespace {

// With these a broker says that it cannot answer yet: it is starting, or a script is busy.
constexpr std::array<std::string_view, 5> not_yet = {"LOADING", "BUSY", "MASTERDOWN", "TRYAGAIN",
                                                     "CLUSTERDOWN"};

[[noreturn]] void fail(const Value::Failure& failure) {
  const std::string_view code = std::string_view(failure.text).substr(0, failure.text.find(' '));
  if (std::ranges::count(not_yet, code) != 0) throw Lost(failure.text);
  throw Refused(failure.text);
}

}  // namespace

struct Client::Connection {
  explicit Connection(std::unique_ptr<Stream> s)
      : stream(std::move(s)),
        reader([this](std::span<char> to) { return stream->read(to, deadline); }) {}

  std::unique_ptr<Stream> stream;
  Reader reader;
  Clock::time_point deadline{}, since = Clock::now();
};

Client::Client(Address address, Settings settings)
    : address_(std::move(address)),
      settings_(std::move(settings)),
      random_(static_cast<std::uint64_t>(Clock::now().time_since_epoch().count()) ^
              (static_cast<std::uint64_t>(getpid()) << 48)) {}

std::vector<Value> Client::exchange(std::span<const Command> commands, Clock::time_point deadline) {
  connection_->deadline = deadline;
  connection_->stream->write(encode(commands), deadline);
  std::vector<Value> out;
  for (std::size_t k = 0; k < commands.size(); ++k) out.push_back(connection_->reader.read());
  return out;
}

void Client::log_in() {
  std::vector<Command> commands;
  if (!address_.password.empty()) {
    commands.push_back({"AUTH"});
    if (!address_.user.empty()) commands.back().push_back(address_.user);
    commands.back().push_back(address_.password);
  }
  if (address_.database != 0) commands.push_back({"SELECT", std::to_string(address_.database)});
  for (const Value& answer : exchange(commands, connection_->deadline)) {
    if (answer.failure() == nullptr) continue;
    try {
      fail(*answer.failure());
    } catch (const Refused& refused) {
      throw Misuse(fmt::format("{} does not let us in: {}", address_.text(), refused.what()));
    }
  }
}

void Client::connect() {
  const auto deadline = Clock::now() + settings_.connecting;
  auto stream = connect_socket(address_, deadline);
  if (address_.kind == Address::Kind::tls) stream = encrypt(std::move(stream), address_, deadline);
  connection_ = std::make_shared<Connection>(std::move(stream));
  connection_->deadline = deadline;
  log_in();
  ++connections_;
}

void Client::ensure_connected() { try_all({}); }

std::vector<Value> Client::try_all(std::span<const Command> commands, Duration waiting) {
  std::vector<Value> out;
  try {
    if (connection_ == nullptr) connect();
    out = exchange(commands, Clock::now() + settings_.answering + waiting);
  } catch (const Lost& lost) {
    connection_ = nullptr;
    throw Lost(fmt::format("{}: {}", address_.text(), lost.what()));
  } catch (...) {
    connection_ = nullptr;  // what is left of an answer would be taken for the next one
    throw;
  }
  for (const Value& answer : out) {
    if (answer.failure() == nullptr) continue;
    if (answer.failure()->text.starts_with("NOAUTH"))
      throw Misuse(
          fmt::format("{} needs a password: give --broker-password-file or HEDDLE_BROKER_PASSWORD",
                      address_.text()));
    fail(*answer.failure());
  }
  return out;
}

Value Client::try_one(const Command& command, Duration waiting) {
  return std::move(try_all(std::span(&command, 1), waiting).front());
}

std::vector<Value> Client::all(std::span<const Command> commands) {
  return retry([&] { return try_all(commands); });
}

Value Client::one(const Command& command) {
  return retry([&] { return try_one(command); });
}

std::optional<Clock::time_point> Client::connected_since() const {
  return connection_ == nullptr ? std::nullopt : std::optional(connection_->since);
}

Client::Pauses::Pauses(Client& client)
    : client_(client),
      end_(Clock::now() + client.settings_.patience),
      pause_(client.settings_.longest_pause / 50) {}

void Client::Pauses::next() {
  if (Clock::now() >= end_) throw Lost(fmt::format("the broker is out of reach: {}", why_));
  const auto most = static_cast<std::uint64_t>(std::max<Duration::rep>(pause_.count(), 2));
  const auto until = Clock::now() + Duration(most / 2 + client_.random_.next() % (most / 2));
  constexpr Duration slice(50);  // soon enough after Ctrl-C
  do {
    if (client_.is_interrupted()) throw Interrupted("interrupted while waiting for the broker");
    std::this_thread::sleep_for(std::min<Clock::duration>(slice, until - Clock::now()));
  } while (Clock::now() < until);
  pause_ = std::min(2 * pause_, client_.settings_.longest_pause);
}

}  // namespace heddle::broker
