// heddle attach: how a job of a broker is.
#include <fmt/format.h>

#include "base/check.hpp"
#include "base/option.hpp"
#include "broker/job.hpp"
#include "cli/command.hpp"
#include "cluster/parts.hpp"
#include "native/brought.hpp"
#include "report/json.hpp"

namespace heddle::cli {
namespace {

using report::Json;

// What a worker says of itself may be anything.
std::string plain(std::string text) {
  for (char& c : text)
    if (c < ' ' || c > '~') c = '?';
  return text;
}

double number_in(const std::string& heartbeat, const char* name) {
  const Json in = Json::parse(heartbeat, nullptr, false);
  return in.is_object() && in.contains(name) && in.at(name).is_number() ? in.at(name).get<double>()
                                                                        : 0;
}

struct Worker {
  std::string name, host;
  double runs = 0, rate = 0;
  bool is_busy = false;
};

// A name is a host, a process and a number, with dots between.
Worker worker_of(const broker::Present& present) {
  Worker out{.name = plain(present.worker), .host = plain(present.worker)};
  for (int k = 0; k < 2; ++k) out.host = out.host.substr(0, out.host.rfind('.'));
  out.is_busy = !present.heartbeat.empty();
  out.runs = number_in(present.heartbeat, "runs");
  out.rate = number_in(present.heartbeat, "rate");
  return out;
}

struct Attached {
  std::string name;
  broker::Status status;
  broker::Audit audit;
  native::Brought brought;  // by what is done, and what ended the job
  std::vector<Worker> workers;

  bool is_verified() const {
    return status.state == broker::State::done && audit.is_complete() && brought.seen.empty() &&
           !brought.nondeterminism;
  }
  int exit_status() const {
    if (is_verified()) return exit_ok;
    return brought.seen.empty() && !brought.nondeterminism ? exit_incomplete : exit_finding;
  }
};

Attached look_at(broker::Job& job) {
  Attached out;
  out.name = job.name();
  out.status = job.status();
  out.audit = job.audit();
  const broker::Checkpoint copy = job.checkpoint();
  for (const auto& [name, record] : copy.done)
    if (const auto* done = std::get_if<broker::Done>(&record.outcome))
      out.brought += native::brought_of(Json::parse(done->result));
  for (const broker::Finding& finding : copy.findings)
    out.brought += native::brought_of(cluster::found_of(finding.text).partial);
  for (const broker::Present& present : out.status.workers)
    out.workers.push_back(worker_of(present));
  return out;
}

Json to_json(const Attached& job) {
  Json out = report::json_of("attach");
  out["job"] = job.name;
  out["state"] = broker::name_of(job.status.state);
  out["verified"] = job.is_verified();
  std::uint64_t generation = 0;  // a number, and a hash after a dash
  const std::string& text = job.status.generation;
  if (!read_number(text.substr(0, text.find('-')), generation)) throw Misuse("not a job of heddle");
  out["generation"] = generation;
  out["cubes"] = {{"open", job.audit.open.size()},
                  {"done", job.audit.done},
                  {"split", job.audit.split},
                  {"failed", job.audit.failed.size()}};
  const Counts counts = cluster::counts_of(job.audit.counts);
  out["executions"] = counts.executions;
  out["blocked"] = counts.blocked;
  out["workers"] = Json::array();
  for (const Worker& w : job.workers)
    out["workers"].push_back({{"name", w.name},
                              {"host", w.host},
                              {"busy", w.is_busy},
                              {"runs", w.runs},
                              {"rate", w.rate}});
  out["findings"] = Json::array();
  for (const native::Seen& s : job.brought.seen)
    out["findings"].push_back(
        {{"kind", abi::name_of(s.outcome.finding)}, {"message", s.outcome.text}, {"runs", s.runs}});
  out["problems"] = job.audit.problems;
  return out;
}

void print(const Attached& job) {
  const Counts counts = cluster::counts_of(job.audit.counts);
  fmt::print("job {}: {}\n", job.name, broker::name_of(job.status.state));
  fmt::print("  cubes: {} open, {} done, {} split, {} failed\n", job.audit.open.size(),
             job.audit.done, job.audit.split, job.audit.failed.size());
  fmt::print("  {} executions, {} blocked\n", counts.executions, counts.blocked);
  for (const Worker& w : job.workers)
    if (w.is_busy)
      fmt::print("  {} explores: {:.0f} runs of its cube, {:.0f}/s\n", w.name, w.runs, w.rate);
    else
      fmt::print("  {} waits\n", w.name);
  for (const native::Seen& s : job.brought.seen)
    fmt::print("  found: {}: {}\n", abi::name_of(s.outcome.finding), plain(s.outcome.text));
  if (job.brought.nondeterminism) fmt::print("  found: the program is not deterministic\n");
  for (const auto& [cube, why] : job.audit.failed) fmt::print("  failed: {}\n", plain(why));
  for (const std::string& problem : job.audit.problems) fmt::print("  problem: {}\n", problem);
  if (job.is_verified()) fmt::print("  all of it was explored, and nothing was found\n");
}

}  // namespace

int run_attach(const Arguments& arguments) {
  if (arguments.broker.empty())
    throw Misuse("heddle attach needs to know the broker: --broker URL");
  broker::Client client(broker::parse_address(arguments.broker, arguments.access));
  try {
    broker::Job job(client, arguments.operands[0]);
    client.ensure_connected();
    if (arguments.stop_job) job.stop();
    const Attached attached = look_at(job);
    if (arguments.remove_job) job.remove();
    if (arguments.json)
      report::print(to_json(attached));
    else
      print(attached);
    return attached.exit_status();
  } catch (const broker::Error& error) {
    throw Misuse(error.what());
  } catch (const Json::exception&) {
    throw Misuse("the job has results that are none");
  }
}

}  // namespace heddle::cli
