#include "broker/job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <random>
#include <utility>

#include "base/check.hpp"
#include "base/option.hpp"

namespace heddle::broker {
namespace {

constexpr std::string_view version = "1";
constexpr std::string_view of_identity = "identity.";
constexpr std::array<std::string_view, 6> states = {"loading", "running", "found",
                                                    "stopped", "done",    "gone"};

std::string random_name() {
  std::random_device source;
  return fmt::format("{:08x}{:08x}", source(), source());
}

std::uint64_t parse_count(const std::string& text) {
  std::uint64_t out = 0;
  if (!read_number(text, out)) throw Malformed("the broker has a count that is not a number");
  return out;
}

// The fields of a hash or of an entry: names and values in turn.
std::map<std::string, std::string> fields_of(const Value& value) {
  const Value::List& list = value.list();
  if (list.size() % 2 != 0) throw Malformed("the broker has a field without a value");
  std::map<std::string, std::string> out;
  for (std::size_t k = 0; k < list.size(); k += 2) out[list[k].text()] = list[k + 1].text();
  return out;
}

std::string take(std::map<std::string, std::string>& from, const std::string& name) {
  const auto node = from.extract(name);
  if (node.empty()) throw Malformed(fmt::format("the job has no field '{}'", name));
  return node.mapped();
}

// What is larger than it may be, or not text, does not come from us.
void check_received(std::string_view text, std::size_t most, std::string_view what) {
  try {
    check_text(text, most, what);
  } catch (const Error& error) {
    throw Malformed(error.what());
  }
}

// A checkpoint as a job begins with it: without what is not a part of the tree, or has failed.
Checkpoint cleaned(Checkpoint from) {
  try {
    check_cube(from.root);
    check_text(from.knowledge, most_knowledge, "what is known");
    std::size_t size = 0;
    for (const auto& [name, value] : from.identity) {
      check_text(name, most_identity, "the name of a field");
      check_text(value, most_identity, name);
      size += name.size() + value.size();
    }
    if (size > most_identity) throw Error("the identity of the job is too large");
  } catch (const Error& error) {
    throw Misuse(error.what());
  }
  if (from.generation.empty()) from.generation = first_generation(from.knowledge);
  if (!is_generation_of(from.generation, from.knowledge))
    throw Misuse("not a checkpoint of a job: its generation is of other knowledge");
  const Audit found = audit(from);
  if (!found.problems.empty()) throw Misuse("not a checkpoint of a job: " + found.problems.front());
  for (const std::string& name : found.strays) from.done.erase(name);
  for (const auto& [cube, why] : found.failed) from.done.erase(cube_name(from.generation, cube));
  return from;
}

// The commands that make a job of a checkpoint, up to the one that lets it run.
class Creation {
 public:
  Creation(const Checkpoint& from, const Keys& keys) : from_(from), keys_(keys) {
    commands_.push_back({"DEL"});
    for (std::string& key : keys_.all()) commands_.back().push_back(std::move(key));
    const Audit found = audit(from_);
    add_job();
    add_outcomes(found);
    for (const OpenCube& cube : found.open)
      commands_.push_back({"XADD", keys_.cubes, "*", "id", cube_name(from_.generation, cube.cube),
                           "parent", cube.parent, "generation", from_.generation, "cube",
                           cube.cube});
    for (const Finding& f : from_.findings) {
      commands_.push_back({"HSETNX", keys_.found, f.key, f.worker});
      commands_.push_back({"XADD", keys_.findings, "*", "key", f.key, "finding", f.text, "worker",
                           f.worker, "generation", f.generation});
    }
    commands_.push_back({"HSET", keys_.job, "state", found.open.empty() ? "done" : "running"});
  }

  // Not all at once: the broker would have to keep all answers.
  void run(Client& client) const {
    constexpr std::size_t most = 500;
    for (std::size_t k = 0; k < commands_.size(); k += most)
      client.try_all(std::span(commands_).subspan(k, std::min(most, commands_.size() - k)));
  }

 private:
  void add_job() {
    Command job = {"HSET",       keys_.job,
                   "version",    std::string(version),
                   "state",      "loading",
                   "generation", from_.generation,
                   "root",       cube_name(from_.generation, from_.root),
                   "cube",       from_.root,
                   "knowledge",  from_.knowledge,
                   "keep_going", from_.keep_going ? "1" : "0"};
    for (const auto& [name, value] : from_.identity) {
      job.push_back(std::string(of_identity) + name);
      job.push_back(value);
    }
    commands_.push_back(std::move(job));
    commands_.push_back({"XGROUP", "CREATE", keys_.cubes, std::string(group), "0", "MKSTREAM"});
  }

  void add_outcomes(const Audit& found) {
    for (const auto& [name, record] : from_.done)
      commands_.push_back({"HSET", keys_.done, name, to_text(record, from_.generation)});
    Counts sums = found.counts;
    sums[".done"] = found.done;
    sums[".split"] = found.split;
    for (const auto& [name, count] : sums)
      commands_.push_back({"HSET", keys_.counts, name, std::to_string(count)});
    commands_.push_back({"SET", keys_.open, std::to_string(found.open.size())});
  }

  const Checkpoint& from_;
  const Keys& keys_;
  std::vector<Command> commands_;
};

}  // namespace

std::string_view name_of(State state) { return states.at(static_cast<std::size_t>(state)); }

State parse_state(std::string_view name) {
  const auto* const found = std::ranges::find(states, name);
  if (found == states.end()) throw Malformed("the job is in an unknown state");
  return static_cast<State>(found - states.begin());
}

JobInfo read_job(Client& client, const std::string& job) {
  auto fields = fields_of(client.one({"HGETALL", Keys(job).job}));
  if (fields.empty())
    throw Misuse(fmt::format("there is no job '{}' at {}", job, client.address().text()));
  if (take(fields, "version") != version)
    throw Malformed(fmt::format("the job '{}' is of another version of Heddle", job));
  JobInfo out;
  out.state = parse_state(take(fields, "state"));
  out.generation = take(fields, "generation");
  out.knowledge = take(fields, "knowledge");
  check_received(out.knowledge, most_knowledge, "what is known");
  if (!is_generation_of(out.generation, out.knowledge))
    throw Malformed("the generation of the job is of other knowledge");
  out.root = take(fields, "cube");
  out.keep_going = take(fields, "keep_going") == "1";
  if (take(fields, "root") != cube_name(out.generation, out.root))
    throw Malformed("the root of the job is not what it is named");
  for (auto& [name, value] : fields) {
    if (!name.starts_with(of_identity))
      throw Malformed(fmt::format("the job has an unknown field '{}'", name));
    check_received(value, most_identity, name);
    out.identity.emplace(name.substr(of_identity.size()), std::move(value));
  }
  return out;
}

std::vector<Listed> list_jobs(Client& client) {
  std::vector<Listed> out;
  for (auto& [job, label] : fields_of(client.one({"HGETALL", std::string(jobs_key)})))
    if (is_name(job)) out.push_back({job, std::move(label)});
  return out;
}

Job::Job(Client& client, std::string name) : client_(client), name_(std::move(name)), keys_(name_) {
  if (!is_name(name_)) throw Misuse(fmt::format("'{}' is not the name of a job", name_));
}

Job Job::create(Client& client, const Checkpoint& from, const std::string& label) {
  const Checkpoint clean = cleaned(from);
  load_functions(client);
  Job out(client, random_name());
  const Creation creation(clean, out.keys_);
  // It begins with the removal of what an earlier attempt left. Nothing else knows its name yet.
  client.retry([&] { creation.run(client); });
  client.one({"HSET", std::string(jobs_key), out.name_, label});
  return out;
}

Status Job::status(std::chrono::milliseconds expiry) {
  constexpr std::size_t most_workers = 1024;
  const std::array<std::string, 2> arguments = {"-", std::to_string(expiry.count())};
  const Value now = client_.retry([&] { return try_function(client_, "state", keys_, arguments); });
  const Value::List& list = now.list(7);
  Status out;
  out.state = parse_state(list[1].text());
  out.generation = list[2].text();
  out.open = parse_count(list[3].text());
  out.hungry = static_cast<std::uint64_t>(list[4].number());
  out.is_damaged = out.state == State::running && std::cmp_less(list[6].number(), out.open);
  out.counts = read_counts();
  out.findings = static_cast<std::uint64_t>(client_.one({"XLEN", keys_.findings}).number());
  std::vector<Command> asked;
  const Value names = client_.one({"ZRANGE", keys_.workers, "0", std::to_string(most_workers - 1)});
  for (const Value& name : names.list()) asked.push_back({"GET", Keys(name_, name.text()).worker});
  const std::vector<Value> heartbeats = client_.all(asked);
  for (std::size_t k = 0; k < heartbeats.size(); ++k)
    if (!heartbeats[k].is_nothing())
      out.workers.push_back({names.list()[k].text(), heartbeats[k].text()});
  return out;
}

Counts Job::read_counts() {
  Counts out;
  for (const auto& [name, count] : fields_of(client_.one({"HGETALL", keys_.counts})))
    out[name] = parse_count(count);
  return out;
}

Checkpoint Job::checkpoint() {
  while (true) {
    JobInfo before = info();
    Checkpoint out{.identity = before.identity,
                   .knowledge = before.knowledge,
                   .root = before.root,
                   .keep_going = before.keep_going,
                   .generation = before.generation,
                   .findings = findings()};
    std::string cursor = "0";
    try {
      do {
        // That many records of the largest size are less than what an answer may have.
        const Value answer = client_.one({"HSCAN", keys_.done, cursor, "COUNT", "200"});
        for (const auto& [name, text] : fields_of(answer.list(2)[1]))
          out.done.insert_or_assign(name, parse_record(text, out.generation));
        cursor = answer.list()[0].text();
      } while (cursor != "0");
    } catch (const Malformed&) {
      if (info().generation == out.generation) throw;
      continue;  // it is of the next generation
    }
    if (info().generation == out.generation) return out;
  }
}

Audit Job::audit() {
  const bool has_ended = info().state == State::done;
  const Counts kept = read_counts();
  Audit out = broker::audit(checkpoint(), has_ended ? &kept : nullptr);
  // While outcomes are added, one may be in the copy without that of its parent.
  if (!has_ended) out.strays.clear();
  return out;
}

std::vector<Finding> Job::findings() {
  std::vector<Finding> out;
  for (std::string from = "-";;) {
    const Value page = client_.one({"XRANGE", keys_.findings, from, "+", "COUNT", "64"});
    for (const Value& entry : page.list()) {
      auto fields = fields_of(entry.list(2)[1]);
      out.push_back({take(fields, "key"), take(fields, "finding"), take(fields, "worker"),
                     take(fields, "generation")});
      if (!fields.empty()) throw Malformed("a finding has an unknown field");
      check_received(out.back().text, most_finding, "a finding");
      from = "(" + entry.list()[0].text();
    }
    if (page.list().empty() || out.size() > most_findings) return out;
  }
}

void Job::stop() {
  const std::array<std::string, 2> arguments = {"-", "0"};
  client_.retry([&] { return try_function(client_, "stop", keys_, arguments); });
}

void Job::remove() {
  Command removal = {"DEL"};
  for (std::string& key : keys_.all()) removal.push_back(std::move(key));
  client_.one({"HDEL", std::string(jobs_key), name_});
  client_.one(removal);
}

}  // namespace heddle::broker
