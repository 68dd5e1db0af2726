#include "interp/oracle.hpp"

#include <set>
#include <vector>

#include "base/hash.hpp"
#include "core/reduction/none.hpp"

namespace heddle::interp {
namespace {

struct TooMany {};

class StateGraph {
 public:
  StateGraph(Machine& machine, std::uint64_t most) : machine_(machine), most_(most) {}

  Outcomes run() {
    machine_.reset();
    visit();
    return std::move(outcomes_);
  }

 private:
  void visit() {
    std::vector<std::int64_t> control, memory;
    machine_.describe(control, memory);
    control.insert(control.end(), memory.begin(), memory.end());
    if (!seen_.insert(wide_hash_of<std::int64_t>(control)).second) return;
    if (++outcomes_.states > most_) throw TooMany();
    std::vector<Move> enabled;
    machine_.enabled(enabled);
    if (enabled.empty()) {
      outcomes_.final_states.insert(machine_.final_state());
      outcomes_.observed.insert(machine_.observed());
      return;
    }
    machine_.save();
    for (const Move move : enabled) {
      machine_.step(move);
      visit();
      machine_.restore();
    }
    machine_.drop();
  }

  Machine& machine_;
  std::uint64_t most_;
  Outcomes outcomes_;
  std::set<WideHash> seen_;
};

class Races {
 public:
  Races(ModelMachine& machine, std::uint64_t most) : machine_(machine), most_(most) {}

  std::vector<RacingPair> run() {
    machine_.reset();
    visit();
    return {races_.begin(), races_.end()};
  }

 private:
  void visit() {
    races_.insert(machine_.races().begin(), machine_.races().end());
    std::vector<std::int64_t> all, memory;
    machine_.describe(all, memory);
    all.insert(all.end(), memory.begin(), memory.end());
    machine_.knowledge().describe(all);
    if (!seen_.insert(wide_hash_of<std::int64_t>(all)).second) return;
    if (seen_.size() > most_) throw TooMany();
    std::vector<Move> enabled;
    machine_.enabled(enabled);
    machine_.save();
    for (const Move move : enabled) {
      machine_.step(move);
      visit();
      machine_.restore();
    }
    machine_.drop();
  }

  ModelMachine& machine_;
  std::uint64_t most_;
  std::set<RacingPair> races_;
  std::set<WideHash> seen_;
};

}  // namespace

std::optional<std::vector<RacingPair>> all_races(ModelMachine& machine, std::uint64_t most) try {
  if (!machine.has_plain()) return std::vector<RacingPair>();
  return Races(machine, most).run();
} catch (TooMany) {
  return std::nullopt;
}

std::optional<Outcomes> all_outcomes(Machine& machine, std::uint64_t most) try {
  return StateGraph(machine, most).run();
} catch (TooMany) {
  return std::nullopt;
}

std::optional<Traces> all_traces(Machine& machine, std::uint64_t most) {
  Traces traces;
  ExploreOptions options;
  options.on_run = [&](const Log& log) {
    if (++traces.interleavings > most) return Decision::stop;
    const std::uint64_t plain = Order(machine.footprints(), log.events, Observers::no).canonical();
    traces.plain.insert(plain);
    if (log.ending == Ending::assumed) traces.assumed.insert(plain);
    traces.observed.insert(Order(machine.footprints(), log.events, Observers::yes).canonical());
    return Decision::proceed;
  };
  if (!explore_none(machine, options).complete) return std::nullopt;
  return traces;
}

}  // namespace heddle::interp
