// The functions that the broker runs for us. Each is one step: all that it does happens at once, or
// nothing of it, also when the broker is killed.
//
// They are a library of the broker (FUNCTION LOAD), not scripts in its cache: a library is part of
// what the broker stores, so that it is there after a restart whenever the job is, though the
// process that created the job may be gone. Its name has a hash of its text: several versions of
// Heddle can use one broker.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "broker/client.hpp"

namespace heddle::broker {

// The keys of a job, in the order in which the functions take them.
struct Keys {
  explicit Keys(const std::string& job, const std::string& worker = "");

  std::string prefix, job, cubes, done, counts, open, findings, found, workers, hungry, worker;

  std::vector<std::string> all() const;  // but the worker's
};

// A hash of jobs that workers can join: name, and what the creator says of it.
constexpr std::string_view jobs_key = "heddle:jobs";

constexpr std::string_view group = "workers";  // of the stream of cubes

// Loads the library if it is not there. Throws Refused if the broker is too old or the user must
// not do so.
void load_functions(Client& client);

// Calls a function, after loading the library if it is missing and the user may load it. If not,
// throws Lost: it has to be put back by a user that may, and is then found.
Value try_function(Client& client, std::string_view name, const Keys& keys,
                   std::span<const std::string> arguments);

// What a worker's user may do, as words of ACL SETUSER; and one that creates and removes jobs.
std::string worker_permissions();
std::string coordinator_permissions();

// Throws Refused, which names them, if commands are missing in what this user may do: a function
// would stop in the middle.
void check_permissions(Client& client, const Keys& keys);

}  // namespace heddle::broker
