#include "cluster/parts.hpp"

#include "parallel/engine_process.hpp"

namespace heddle::cluster {
namespace {

using parallel::Json;

struct CountName {
  const char* name;
  std::uint64_t Counts::* member;
};
constexpr CountName count_names[] = {
    {"executions", &Counts::executions}, {"blocked", &Counts::blocked},
    {"merged", &Counts::merged},         {"events", &Counts::events},
    {"deadlocks", &Counts::deadlocks},   {"findings", &Counts::findings},
    {"discarded", &Counts::discarded},
};
constexpr const char* in_vain = "thrown_away";

std::uint64_t count_in(const broker::Counts& sums, const std::string& name) {
  const auto found = sums.find(name);
  return found == sums.end() ? 0 : found->second;
}

}  // namespace

std::string to_text(const CubeList& cubes) { return Json(cubes).dump(); }

CubeList cubes_of(const std::string& text) {
  try {
    const auto out = Json::parse(text).get<CubeList>();
    if (!out.empty()) return out;
  } catch (const Json::exception&) {
  }
  throw broker::Malformed("a cube of the job is not a list of cubes");
}

std::vector<std::string> bundled(const CubeList& cubes, std::size_t most) {
  std::vector<std::string> out;
  CubeList bundle;
  for (const std::string& cube : cubes) {
    bundle.push_back(cube);
    if (bundle.size() <= most && to_text(bundle).size() <= broker::most_cube) continue;
    bundle.pop_back();
    if (!bundle.empty()) out.push_back(to_text(bundle));
    bundle = {cube};
  }
  if (!bundle.empty()) out.push_back(to_text(bundle));
  return out;
}

broker::Done done_of(const Json& yield, std::uint64_t thrown_away) {
  const Counts counts = parallel::counts_of(yield.at("counts"));
  broker::Done out{.counts = {},
                   .result = yield.dump(-1, ' ', false, Json::error_handler_t::replace)};
  for (const auto& [name, member] : count_names)
    if (counts.*member != 0) out.counts[name] = counts.*member;
  if (thrown_away != 0) out.counts[in_vain] = thrown_away;
  return out;
}

Counts counts_of(const broker::Counts& sums) {
  Counts out;
  for (const auto& [name, member] : count_names) out.*member = count_in(sums, name);
  return out;
}

std::uint64_t thrown_away_of(const broker::Counts& sums) { return count_in(sums, in_vain); }

std::string to_text(const Found& found) {
  Json out = {{"cube", found.cube}, {"partial", found.partial}};
  const auto text = [&] { return out.dump(-1, ' ', false, Json::error_handler_t::replace); };
  if (std::string whole = text(); whole.size() <= broker::most_finding) return whole;
  // What is left to do of the cube is worth less than what was found.
  out["partial"].erase("left");
  out["partial"].erase("aside");
  return text();
}

Found found_of(const std::string& text) {
  try {
    const Json in = Json::parse(text);
    return {in.at("cube"), in.at("partial")};
  } catch (const Json::exception&) {
    throw broker::Malformed("a finding of the job is not one");
  }
}

}  // namespace heddle::cluster
