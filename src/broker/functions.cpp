#include "broker/functions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

#include "base/hash.hpp"
#include "broker/library.hpp"

namespace heddle::broker {
namespace {

// What the functions call: in a function, too, the user needs the permission.
constexpr std::array<std::string_view, 27> called = {
    "del",    "exists",        "get",    "hexists",    "hget",   "hincrby",
    "hlen",   "hmget",         "hset",   "hsetnx",     "incrby", "set",
    "time",   "xack",          "xadd",   "xclaim",     "xdel",   "xgroup|delconsumer",
    "xlen",   "xpending",      "xrange", "xreadgroup", "xtrim",  "zadd",
    "zcount", "zrangebyscore", "zrem"};

// What workers, and all that look at a job, send beside that.
constexpr std::array<std::string_view, 5> sent = {"fcall", "hgetall", "hscan", "select", "zrange"};

// What creates and removes jobs sends.
constexpr std::array<std::string_view, 3> creating = {"function|load", "hdel", "xgroup|create"};

const std::string& library_name() {
  static const std::string name =
      fmt::format("heddle_{:016x}", hash_of(std::span(library_text.data(), library_text.size())));
  return name;
}

}  // namespace

Keys::Keys(const std::string& name, const std::string& of_worker)
    : prefix("heddle:{" + name + "}:"),
      job(prefix + "job"),
      cubes(prefix + "cubes"),
      done(prefix + "done"),
      counts(prefix + "counts"),
      open(prefix + "open"),
      findings(prefix + "findings"),
      found(prefix + "found"),
      workers(prefix + "workers"),
      hungry(prefix + "hungry"),
      worker(prefix + "worker:" + of_worker) {}

std::vector<std::string> Keys::all() const {
  return {job, cubes, done, counts, open, findings, found, workers, hungry};
}

void load_functions(Client& client) {
  const std::string text =
      fmt::format("#!lua name={0}\nlocal prefix = '{0}_'\n{1}", library_name(), library_text);
  client.retry([&] {
    try {
      client.try_one({"FUNCTION", "LOAD", text});
    } catch (const Refused& refused) {
      const std::string_view why = refused.what();
      if (why.starts_with("ERR unknown command"))
        throw Refused("this broker is too old: Heddle needs Redis 7 or later, or Valkey");
      if (why.find("already exists") == std::string_view::npos) throw;
    }
  });
}

Value try_function(Client& client, std::string_view name, const Keys& keys,
                   std::span<const std::string> arguments) {
  Command command = {"FCALL", fmt::format("{}_{}", library_name(), name), "10"};
  for (std::string& key : keys.all()) command.push_back(std::move(key));
  command.push_back(keys.worker);
  command.insert(command.end(), arguments.begin(), arguments.end());
  try {
    return client.try_one(command);
  } catch (const Refused& refused) {
    if (!std::string_view(refused.what()).starts_with("ERR Function not found")) throw;
  }
  try {
    load_functions(client);
  } catch (const Refused& refused) {
    throw Lost(
        fmt::format("the broker has lost Heddle's functions, and this user may not put them "
                    "back ({}): the command that created the job, or 'heddle attach' can",
                    refused.what()));
  }
  return client.try_one(command);
}

std::string worker_permissions() {
  return fmt::format("~heddle:* +{} +{}", fmt::join(sent, " +"), fmt::join(called, " +"));
}

std::string coordinator_permissions() {
  return fmt::format("{} +{}", worker_permissions(), fmt::join(creating, " +"));
}

void check_permissions(Client& client, const Keys& keys) {
  std::vector<std::string> arguments = {"-", "0"};
  arguments.insert(arguments.end(), called.begin(), called.end());
  const Value answer =
      client.retry([&] { return try_function(client, "lacking", keys, arguments); });
  std::vector<std::string> lacking;
  for (const Value& one : answer.list()) lacking.push_back("+" + one.text());
  if (!lacking.empty())
    throw Refused(fmt::format("{}: this user may not use all commands that are needed; it lacks {}",
                              client.address().text(), fmt::join(lacking, " ")));
}

}  // namespace heddle::broker
