// A worker's side of a job: claims cubes, one at a time, and says what became of them.
//
//   Worker worker(client, job, settings);
//   while (auto claim = worker.claim()) {
//     ... if claim->generation is not the one that the engine knows: read_job, for the knowledge;
//     ... explore claim->cube; a few times a second, worker.look("1200 runs"):
//         leave off if !is_wanted, or, with worker.leave(), if the state is not running;
//         split early if many are hungry ...
//     worker.finish(Done{counts}), worker.finish(Split{parts}) or worker.finish(Failed{why})
//   }
//
// Promises, beside those of job.hpp:
// - A claim is lost to another worker only after `silence` without `look`. A cube is given out
//   `deliveries` times at most; then it has failed. Of several outcomes, the first one counts.
// - Claims of other workers are looked at only after this worker has itself been connected for
//   `silence`: after the broker or the network was away, holders have time to return.
// - There are no threads. `look` talks to the broker every `heartbeat`. If the broker is away, it
//   waits no longer than one attempt to connect takes; the other functions wait for it.
// - All workers of a job must have the same settings.
//
// A worker has a client of its own: it must not be used by anything else, nor after fork.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "broker/client.hpp"
#include "broker/functions.hpp"
#include "broker/job.hpp"
#include "broker/record.hpp"

namespace heddle::broker {

struct Claim {
  std::string cube = {};        // what to explore
  std::string generation = {};  // with which knowledge
  std::string name = {}, parent = {}, entry = {};
  std::uint64_t delivery = 1;  // the first, second or third time that it is given out
};

// The job as last heard of.
struct View {
  State state = State::running;
  std::string generation;
  std::uint64_t open = 0;    // cubes without an outcome: given out, or on offer
  std::uint64_t hungry = 0;  // workers that wait for a cube
  std::uint64_t workers = 0;
  bool is_wanted = true;  // whether the outcome of the claimed cube would count
};

enum class Answer : std::uint8_t {
  accepted,  // it counts
  known,     // another one was first; what was sent is dropped
  obsolete,  // of an older generation, or of a cube that is not a part of the job; dropped
};

class Worker {
 public:
  struct Settings {
    using Duration = std::chrono::milliseconds;
    Duration heartbeat{3'000};
    Duration expiry{10'000};   // a worker that was not heard of for this time is not shown
    Duration silence{15'000};  // a claim that was not heard of for this time is lost
    Duration waiting{1'000};   // at once, for a cube; then the state is looked at
    unsigned deliveries = 3;   // without an outcome; then the cube has failed
    std::string host;          // for its name; empty: the host's name
  };

  // Throws Misuse if there is no such job, Refused if this user may not do all that a worker does.
  Worker(Client& client, const std::string& job, Settings settings);
  Worker(Client& client, const std::string& job) : Worker(client, job, Settings()) {}

  const std::string& name() const { return name_; }

  // Waits for a cube. Nothing if the job has ended or is gone (see `view`), or the client is
  // interrupted. REQUIRES: none is claimed, or it is no longer wanted.
  std::optional<Claim> claim();

  // Keeps the claim, and says that this worker is alive and what it does.
  const View& look(std::string_view progress);

  // Says what became of the claimed cube, until it is answered. Throws Error if the outcome is
  // too large or malformed; then the cube is still claimed. REQUIRES: a cube is claimed.
  Answer finish(const Outcome& outcome);

  // Gives up the claimed cube, if there is one, so that others have it at once, and is no longer
  // counted as a worker. What a worker that is told to end does last; to be killed instead costs
  // `silence`.
  void leave();

  // A finding, which ends the job unless that was created to keep going. Findings with the same key
  // are one; false if it was known. A finding is true in whatever generation it was found.
  bool report(std::string_view key, std::string_view finding);

  // Starts over with the root and more knowledge, if the generation is still the one given. False
  // if it is not: then others have learned something, which has to be merged, or the job has ended.
  bool renew(std::string_view generation, std::string_view knowledge);

  const View& view() const { return view_; }

 private:
  using Arguments = std::vector<std::string>;

  Value ask(std::string_view function, const Arguments& arguments);
  Value try_ask(std::string_view function, const Arguments& arguments);
  void resend();
  const std::string& note(const Value& answer);
  void wait_for_entry();
  void hold(const Value& entry, std::uint64_t delivery);
  Arguments claim_arguments() const;
  Arguments look_arguments(std::string_view progress) const;
  Settings::Duration between_looks() const;

  Client& client_;
  std::string job_;
  Settings settings_;
  std::string name_;
  Keys keys_;
  View view_;
  std::optional<Claim> claim_;
  Clock::time_point next_look_{};
  // The last outcome sent. A broker that restarts may have forgotten the last second: it is sent
  // again over each new connection.
  Arguments last_finish_;
  unsigned connection_of_last_ = 0;
};

}  // namespace heddle::broker
