#include "interp/engine.hpp"

#include <algorithm>
#include <cstring>

#include "parallel/asking.hpp"
#include "parallel/choose.hpp"
#include "parallel/engine_process.hpp"

namespace heddle::interp {

using parallel::Json;
using parallel::Look;

namespace {

// There may be as many of them as runs: a number of JSON for each would cost more than the run.
Json packed(HashSet& hashes) {
  const auto bytes = std::as_bytes(hashes.values());
  Json::binary_t out;
  out.resize(bytes.size());
  std::ranges::copy(bytes, reinterpret_cast<std::byte*>(out.data()));
  return out;
}

void unpack(const Json& packed, HashSet& to) {
  const Json::binary_t& bytes = packed.get_binary();
  std::uint64_t hash = 0;
  for (std::size_t k = 0; k + sizeof hash <= bytes.size(); k += sizeof hash) {
    std::memcpy(&hash, bytes.data() + k, sizeof hash);
    to.insert(hash);
  }
}

}  // namespace

ModelEngine::Brought& ModelEngine::Brought::operator+=(Brought& other) {
  counts += other.counts;
  observed.insert(other.observed.values());
  final_states.insert(other.final_states.values());
  if (failing.empty()) failing = other.failing;
  return *this;
}

ModelEngine::ModelEngine(const Program& program, const Algorithm& algorithm,
                         const ExploreOptions& how, bool final_states)
    : algorithm_(algorithm),
      how_(how),
      final_states_(final_states),
      runner_(program),
      divisible_(observers_of(algorithm)) {}

void ModelEngine::restrict_to(const std::string& text) {
  runner_.machine().restrict_to(parse_cube(text, runner_.thread_count()));
}

Decision ModelEngine::note(const Log& log) {
  divisible_.note(log, runner_);
  if (log.counts) last_.observed.insert(log.observed);
  if (log.counts && final_states_) last_.final_states.insert(log.final_state);
  if (log.counts) last_.counts.count(log);
  if (last_.failing.empty() && (log.ending == Ending::deadlock || log.failed()))
    for (const Event& e : log.events) last_.failing.push_back(e.move);
  return Decision::proceed;
}

// What was done of a cube that is begun again is forgotten: model programs are small.
parallel::Engine::Explored ModelEngine::explore(const parallel::Item& item, Look& look) {
  restrict_to(item.cube);
  last_ = {};
  divisible_.begin();
  ExploreOptions how = how_;
  how.on_run = [this](const Log& log) { return note(log); };
  parallel::Asking asking(look, how, algorithm_.any_order, [this] {
    return Look::Live{.counts = last_.counts, .divisible = divisible_.yes(), .outlook = {}};
  });
  const Result result = algorithm_.explore({runner_, runner_.machine()}, how);
  last_.counts = result.counts;
  if (result.complete)
    return {End::complete, static_cast<double>(result.counts.executions + result.counts.blocked)};
  return {asking.asked() == Look::Asked::give_up ? End::given_up : End::stopped, asking.outlook()};
}

std::optional<parallel::Halves> ModelEngine::halves(const std::string& text) {
  restrict_to(text);
  const auto by = parallel::steps_to_split_by(runner_, observers_of(algorithm_));
  if (!by) return {};
  const auto [first, second] = runner_.cube().split(by->first, by->second);
  return {{to_text(first), to_text(second), by->in_vain, by->cost}};
}

Json ModelEngine::to_json(Brought& b) {
  return {{"counts", parallel::to_json(b.counts)},
          {"observed", packed(b.observed)},
          {"final states", packed(b.final_states)},
          {"failing", to_text(b.failing)}};
}

void ModelEngine::add(const Json& yield) {
  total_.counts += parallel::counts_of(yield.at("counts"));
  unpack(yield.at("observed"), total_.observed);
  unpack(yield.at("final states"), total_.final_states);
  const std::string failing = yield.at("failing");
  if (total_.failing.empty() && failing != to_text(Schedule()))
    total_.failing = parse_schedule(failing);
}

}  // namespace heddle::interp
