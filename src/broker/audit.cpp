// Checkpoints, and what follows from them.
#include <fmt/format.h>

#include <map>
#include <set>

#include "base/check.hpp"
#include "broker/record.hpp"

namespace heddle::broker {
namespace {

constexpr int version = 1;

// Walks the tree of cubes from the root, each cube once.
class Auditor {
 public:
  Auditor(const Checkpoint& from, Audit& to) : from_(from), to_(to) {}

  void walk() {
    visit({from_.root, ""});
    while (!left_.empty()) {
      const OpenCube next = std::move(left_.back());
      left_.pop_back();
      visit(next);
    }
    for (const auto& [name, record] : from_.done)
      if (!seen_.contains(name)) to_.strays.push_back(name);
  }

 private:
  void visit(const OpenCube& cube) {
    const std::string name = cube_name(from_.generation, cube.cube);
    if (!seen_.insert(name).second) {
      to_.problems.push_back(fmt::format("cube {} is in two splits", name));
      return;
    }
    const auto found = from_.done.find(name);
    if (found == from_.done.end()) {
      to_.open.push_back(cube);
    } else if (const Done* done = std::get_if<Done>(&found->second.outcome)) {
      ++to_.done;
      for (const auto& [key, count] : done->counts) to_.counts[key] += count;
    } else if (const Split* split = std::get_if<Split>(&found->second.outcome)) {
      ++to_.split;
      for (const std::string& part : split->cubes) left_.push_back({part, name});
    } else {
      to_.failed.emplace_back(cube.cube, std::get<Failed>(found->second.outcome).why);
    }
  }

  const Checkpoint& from_;
  Audit& to_;
  std::vector<OpenCube> left_;
  std::set<std::string> seen_;
};

void compare(const Counts& kept, Audit& to) {
  Counts expected = to.counts;
  for (const auto& [name, count] : {std::pair<const char*, std::uint64_t>{".done", to.done},
                                    {".split", to.split},
                                    {".failed", to.failed.size()}})
    if (count != 0) expected[name] = count;
  std::set<std::string> names;
  for (const auto& [name, count] : expected) names.insert(name);
  for (const auto& [name, count] : kept) names.insert(name);
  const auto value = [](const Counts& in, const std::string& name) {
    const auto found = in.find(name);
    return found == in.end() ? 0 : found->second;
  };
  for (const std::string& name : names)
    if (value(expected, name) != value(kept, name))
      to.problems.push_back(
          fmt::format("the cubes have {} '{}' together, and the broker counted {}",
                      value(expected, name), name, value(kept, name)));
}

void refuse_unless(bool good, const char* what) {
  if (!good) throw Misuse(fmt::format("not a checkpoint of a job: {}", what));
}

}  // namespace

Audit audit(const Checkpoint& checkpoint, const Counts* kept) {
  Audit out;
  Auditor(checkpoint, out).walk();
  if (kept != nullptr) compare(*kept, out);
  return out;
}

nlohmann::json to_json(const Checkpoint& checkpoint) {
  nlohmann::json done = nlohmann::json::object();
  for (const auto& [name, record] : checkpoint.done)
    done[name] = to_text(record, checkpoint.generation);
  nlohmann::json findings = nlohmann::json::array();
  for (const Finding& f : checkpoint.findings)
    findings.push_back({f.key, f.text, f.worker, f.generation});
  return {{"job_version", version},
          {"identity", checkpoint.identity},
          {"knowledge", checkpoint.knowledge},
          {"root", checkpoint.root},
          {"keep_going", checkpoint.keep_going},
          {"generation", checkpoint.generation},
          {"done", std::move(done)},
          {"findings", std::move(findings)}};
}

Checkpoint parse_checkpoint(const nlohmann::json& json) {
  Checkpoint out;
  try {
    refuse_unless(json.is_object() && json.contains("job_version"), "no version");
    refuse_unless(json.at("job_version") == version, "it is of another version");
    refuse_unless(json.size() == 8, "unknown fields");
    json.at("identity").get_to(out.identity);
    json.at("knowledge").get_to(out.knowledge);
    json.at("root").get_to(out.root);
    json.at("keep_going").get_to(out.keep_going);
    json.at("generation").get_to(out.generation);
    for (const auto& f : json.at("findings").get<std::vector<std::vector<std::string>>>()) {
      refuse_unless(f.size() == 4, "a finding without some of its parts");
      out.findings.push_back({f[0], f[1], f[2], f[3]});
    }
    for (const auto& [name, text] : json.at("done").items())
      out.done.emplace(name, parse_record(text.get<std::string>(), out.generation));
    check_cube(out.root);
    refuse_unless(out.generation.empty() || is_generation_of(out.generation, out.knowledge),
                  "its generation is of other knowledge");
  } catch (const nlohmann::json::exception& error) {
    refuse_unless(false, error.what());
  } catch (const Error& error) {
    refuse_unless(false, error.what());
  }
  return out;
}

}  // namespace heddle::broker
