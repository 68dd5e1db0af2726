// A job: one exploration, of which cubes are given out through a broker.
//
// Promises:
// - Each cube of the tree counts exactly once, whatever dies, is repeated or is cut off at any
//   time: workers, connections, the broker, the process that created the job. `audit` tells whether
//   all are done; only then may the job be called verified.
// - Nothing that comes from a broker is trusted: sizes, names, versions and hashes are checked, and
//   what is not understood is refused (Malformed). Nothing is executed or used as a path.
// - All functions ask again if the connection breaks, as long as the client has patience (then they
//   throw Lost), and asking twice does no harm.
//
// One process creates a job and may watch it. It is not needed: any process can attach to the job
// by its name, and all it takes to finish it is workers (`broker/worker.hpp`).
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "broker/client.hpp"
#include "broker/functions.hpp"
#include "broker/record.hpp"

namespace heddle::broker {

enum class State : std::uint8_t {
  loading,  // being created
  running,  // cubes are given out
  found,    // ended by a finding
  stopped,  // ended by `stop`
  done,     // each cube has an outcome; see `audit`
  gone,     // there is no such job
};
std::string_view name_of(State state);
State parse_state(std::string_view name);  // throws Malformed

// What a job is. Of these, a new generation changes knowledge and generation.
struct JobInfo {
  Identity identity;
  std::string knowledge, generation, root;
  bool keep_going = false;
  State state = State::gone;
};

// Throws Misuse if there is no such job, Malformed if it is not of our version or has unknown
// fields.
JobInfo read_job(Client& client, const std::string& job);

struct Listed {
  std::string job, label;
};
// The jobs of the broker that were created and not removed.
std::vector<Listed> list_jobs(Client& client);

// Of a worker: its name and what it said last, which is not checked: show it with care.
struct Present {
  std::string worker, heartbeat;
};

struct Status {
  State state = State::gone;
  std::string generation;
  std::uint64_t open = 0, hungry = 0;
  Counts counts;  // sums; ".done", ".split" and ".failed" count cubes
  std::vector<Present> workers;
  std::uint64_t findings = 0;
  // There are open cubes that are neither on offer nor claimed, and the job will not end: the
  // broker was restored from a file that was not whole. What it has is still right: create a job
  // from its checkpoint, and remove this one. If the audit of a job that is done has problems,
  // likewise.
  bool is_damaged = false;
};

class Job {
 public:
  // Creates a job and makes it known to workers under the label (by which these choose, for example
  // a hash of the program). Of a checkpoint with outcomes, cubes that are done stay so; those that
  // failed are given out again. Throws Misuse if the checkpoint makes no sense.
  static Job create(Client& client, const Checkpoint& from, const std::string& label);

  // Attaches to a job. Throws Misuse if the name cannot be one's.
  Job(Client& client, std::string name);

  const std::string& name() const { return name_; }
  JobInfo info() { return read_job(client_, name_); }
  // Workers that were not heard of for the time given are not hungry.
  Status status(std::chrono::milliseconds expiry = std::chrono::seconds(10));

  // What is known now; a copy of a job that is running is as good as one of a job that has ended.
  Checkpoint checkpoint();
  // If it is complete, and the state is done, the job is verified, unless there are findings.
  Audit audit();

  // In the order in which they were made.
  std::vector<Finding> findings();

  // No more cubes are given out. Outcomes still count.
  void stop();
  // Removes all of it from the broker. Workers find it gone.
  void remove();

 private:
  Counts read_counts();

  Client& client_;
  std::string name_;
  Keys keys_;
};

}  // namespace heddle::broker
