#include "cluster/coordinator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <optional>
#include <set>
#include <thread>

#include "base/check.hpp"
#include "cluster/crew.hpp"
#include "cluster/parts.hpp"
#include "cluster/worker_loop.hpp"
#include "parallel/engine_process.hpp"

namespace heddle::cluster {
namespace {

using broker::State;
using parallel::Engine;
using parallel::Item;
using parallel::Json;
using End = Engine::End;

constexpr double ask_every = 0.3;  // seconds, how the job is; people can just follow
constexpr std::chrono::milliseconds pause(20);

// A number in what a worker says of itself, which may be anything.
double number_in(const std::string& heartbeat, const char* name) {
  const Json in = Json::parse(heartbeat, nullptr, false);
  return in.is_object() && in.contains(name) && in.at(name).is_number() ? in.at(name).get<double>()
                                                                        : 0;
}

class Coordinator {
 public:
  Coordinator(const Coordination& how, Engine& own, const parallel::MakeEngine& make,
              const parallel::Control& control, std::vector<Item>& open,
              parallel::Overhead& overhead)
      : how_(how),
        own_(own),
        make_(make),
        control_(control),
        open_(open),
        overhead_(overhead),
        before_(own.sum()),
        client_(how.address, {.is_interrupted = control.is_over}) {
    progress_.counts = own.total();
    progress_.outlook = [] { return 0.0; };
  }

  End run() {
    try {
      broker::Job job = broker::Job::create(client_, beginning(), label_);
      how_.on_created(job.name());
      watch(job);
      const End end = collect(job);
      if (!how_.keep_job) job.remove();
      return end;
    } catch (const broker::Interrupted&) {
      throw Misuse("interrupted while the broker was out of reach");
    } catch (const broker::Error& error) {
      throw Misuse(error.what());
    }
  }

 private:
  broker::Checkpoint beginning();
  void watch(broker::Job& job);
  bool look_at(broker::Job& job);
  void note(const broker::Status& status);
  State work(const std::string& job, const volatile std::sig_atomic_t& leaves);
  End collect(broker::Job& job);
  broker::Audit take_over(const broker::Checkpoint& copy);
  bool take_findings(const broker::Checkpoint& copy);

  const Coordination& how_;
  Engine& own_;
  const parallel::MakeEngine& make_;
  const parallel::Control& control_;
  std::vector<Item>& open_;
  parallel::Overhead& overhead_;
  const Json before_;  // the total when the job was created
  std::string first_generation_, label_;
  broker::Client client_;
  parallel::Progress progress_;
  Stopwatch now_;
  double asked_at_ = -ask_every;
};

broker::Checkpoint Coordinator::beginning() {
  const Program program = identify(how_.command);
  label_ = label_of(program);
  broker::Checkpoint out{.identity = identity_of(how_.terms, program, how_.first_run()),
                         .knowledge = own_.knowledge().dump(),
                         .root = to_text(everything()),
                         .keep_going = how_.keep_going};
  out.generation = first_generation_ = broker::first_generation(out.knowledge);
  if (open_.size() == 1 && open_[0].cube.empty()) return out;
  // Of an exploration that is resumed, these cubes are left. The root is named as the whole, as it
  // is what is left if something is learned.
  CubeList cubes;
  for (const Item& item : open_) cubes.push_back(item.cube);
  constexpr std::size_t most_cubes = 512;
  out.done[broker::cube_name(out.generation, out.root)] = {
      "coordinator", broker::Split{bundled(cubes, cubes.size() / most_cubes + 1)}};
  return out;
}

State Coordinator::work(const std::string& job, const volatile std::sig_atomic_t& leaves) {
  broker::Client client(how_.address, {.is_interrupted = [&] { return leaves != 0; }});
  return WorkerLoop(client, job, how_.terms, make_, leaves).run();
}

void Coordinator::watch(broker::Job& job) {
  Crew crew(control_.engines,
            [&](const volatile std::sig_atomic_t& leaves) { return work(job.name(), leaves); });
  for (;;) {
    crew.tend();
    if (!control_.may_continue(progress_)) {
      job.stop();
      break;
    }
    if (!look_at(job)) break;
    if (control_.save_now()) {
      take_over(job.checkpoint());
      control_.on_save(open_);
    }
    std::this_thread::sleep_for(pause);
  }
  crew.leave();
}

// False: it has ended.
bool Coordinator::look_at(broker::Job& job) {
  if (now_.seconds() < asked_at_ + ask_every) return true;
  asked_at_ = now_.seconds();
  const broker::Status status = job.status();
  note(status);
  if (status.state == State::gone)
    throw Misuse(fmt::format("the job {} was removed from the broker", job.name()));
  if (status.is_damaged)
    throw Misuse(fmt::format(
        "the broker was restored from a file that was not whole, and cubes of the job {} are "
        "missing: explore again, or with --resume from a checkpoint",
        job.name()));
  return status.state == State::running && !status.counts.contains(".failed");
}

void Coordinator::note(const broker::Status& status) {
  const Counts counts = counts_of(status.counts);
  const auto done = status.counts.find(".done");
  const double cubes = done == status.counts.end() ? 0 : static_cast<double>(done->second);
  progress_.counts = parallel::counts_of(before_.at("counts"));
  progress_.counts += counts;
  progress_.findings = status.findings;
  double left = 0;
  std::uint64_t busy = 0;
  for (const broker::Present& worker : status.workers) {
    if (worker.heartbeat.empty()) continue;
    ++busy;
    const double runs = std::clamp(number_in(worker.heartbeat, "runs"), 0.0, 1e15);
    progress_.counts.executions += static_cast<std::uint64_t>(runs);
    left += std::max(number_in(worker.heartbeat, "outlook") - runs, 0.0);
  }
  // Of cubes on offer, no more is known than how large others were.
  const double size = static_cast<double>(parallel::runs_of(counts)) / std::max(cubes, 1.0);
  left += size * static_cast<double>(status.open - std::min(busy, status.open));
  const auto so_far = static_cast<double>(progress_.counts.runs());
  progress_.outlook = [so_far, left] { return so_far + left; };
  overhead_.engines =
      std::max({overhead_.engines, 2U, static_cast<unsigned>(status.workers.size())});
}

// Makes the total, and what is open, those of this copy of the job.
broker::Audit Coordinator::take_over(const broker::Checkpoint& copy) {
  if (copy.generation == first_generation_) {
    own_.forget();
    own_.add(before_);
  } else {
    own_.learn(Json::parse(copy.knowledge));
  }
  broker::Audit audit = broker::audit(copy);
  const std::set<std::string> strays(audit.strays.begin(), audit.strays.end());
  for (const auto& [name, record] : copy.done)
    if (const auto* done = std::get_if<broker::Done>(&record.outcome))
      if (!strays.contains(name)) own_.add(Json::parse(done->result));
  open_.clear();
  for (const broker::OpenCube& cube : audit.open)
    for (std::string& part : cubes_of(cube.cube)) open_.push_back({.cube = std::move(part)});
  return audit;
}

// Whether there are some, of what is explored now.
bool Coordinator::take_findings(const broker::Checkpoint& copy) {
  bool out = false;
  for (const broker::Finding& finding : copy.findings) {
    if (finding.generation != copy.generation) continue;
    Found found = found_of(finding.text);
    out = true;
    // If it is not open, another worker explored it to its end, and found the same.
    const auto item = std::ranges::find(open_, found.cube, &Item::cube);
    if (item != open_.end()) item->partial = std::move(found.partial);
  }
  return out;
}

End Coordinator::collect(broker::Job& job) {
  const State state = job.info().state;  // before the copy: if it is done, all of it is copied
  const broker::Checkpoint copy = job.checkpoint();
  const broker::Audit walked = take_over(copy);
  overhead_.cubes += walked.done;
  overhead_.thrown_away += thrown_away_of(walked.counts);
  if (!walked.failed.empty())
    throw Misuse(fmt::format("a part of the schedules could not be explored: {} (heddle attach {})",
                             walked.failed[0].second, job.name()));
  if (take_findings(copy)) return End::found;
  if (!copy.findings.empty()) return End::learned;  // they are of what was known before
  if (state != State::done) return End::stopped;
  const broker::Audit audit = job.audit();
  if (!audit.is_complete() || !walked.is_complete())
    throw Misuse(fmt::format("the job {} has ended, but not all of it is there: {}", job.name(),
                             audit.problems.empty() ? "parts are missing" : audit.problems[0]));
  return End::complete;
}

}  // namespace

void check_reachable(const broker::Address& address) {
  broker::Client client(address);
  try {
    client.ensure_connected();
  } catch (const broker::Error& error) {
    throw Misuse(fmt::format("the broker is out of reach: {}", error.what()));
  }
}

parallel::Elsewhere through_broker(Coordination coordination) {
  return [how = std::move(coordination)](Engine& own, const parallel::MakeEngine& make,
                                         const parallel::Control& control, std::vector<Item>& open,
                                         parallel::Overhead& overhead) {
    return Coordinator(how, own, make, control, open, overhead).run();
  };
}

}  // namespace heddle::cluster
