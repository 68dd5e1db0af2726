#include "core/reduction/published_optimal_context.hpp"

#include <algorithm>
#include <list>
#include <set>

#include "core/reduction/depth_first.hpp"
#include "core/reduction/replayed.hpp"

namespace heddle {
namespace {

struct WakeupTree {
  Move move;
  std::list<WakeupTree> below;
};
using Branches = std::list<WakeupTree>;

class OptimalContext : DepthFirst {
 public:
  OptimalContext(Machine& machine, const ExploreOptions& options, Observers observers)
      : DepthFirst(machine, options, Counted::state), replays_(machine, observers) {}

  Result explore() {
    return run([&] { visit({}, {}, {}); });
  }

 private:
  using DontDo = std::set<Schedule>;
  struct Level {
    Branches wut;
    std::vector<Move> done;
    DontDo dnd;
    bool open = false;  // has a wakeup tree
  };

  void visit(const Schedule& E, Branches tree, DontDo dnd) {  // l.1
    replays_.clear_if_large();
    const std::size_t depth = E.size();
    levels_.resize(depth);
    levels_.push_back({{}, {}, std::move(dnd), false});  // l.2
    const std::vector<Move> enabled = replays_.run(E)->enabled;
    if (enabled.empty()) {  // l.3
      finish(E);
      return detect_races(E);
    }
    levels_[depth].open = true;
    const auto forbidden = [&](Move p) { return levels_[depth].dnd.contains(Schedule{p}); };
    if (!tree.empty()) {
      levels_[depth].wut = std::move(tree);                // l.4
    } else if (std::ranges::all_of(enabled, forbidden)) {  // l.5
      counts_.blocked += enabled.size();
      for (const Move p : enabled) detect_races(E + p);
    } else {
      levels_[depth].wut.push_back({*std::ranges::find_if_not(enabled, forbidden), {}});  // l.6
    }
    while (!levels_[depth].wut.empty()) {  // l.7
      const Move p = levels_[depth].wut.front().move;
      if (forbidden(p)) {  // l.8
        ++counts_.blocked;
        detect_races(E + p);
      } else {
        ++counts_.events;
        visit(E + p, std::move(levels_[depth].wut.front().below), inherit(E, p));  // l.9
        levels_.resize(depth + 1);
      }
      levels_[depth].done.push_back(p);  // l.12
      levels_[depth].wut.pop_front();
    }
    levels_[depth].open = false;
  }

  void finish(const Schedule& E) {
    machine_.reset();
    events_.clear();
    for (const Move m : E) events_.push_back(machine_.step(m));
    end_run();
  }

  DontDo inherit(const Schedule& E, Move p) {
    DontDo below;
    for (const Schedule& v : levels_[E.size()].dnd) {
      const auto at = std::ranges::find(v, p);
      if (at == v.end()) {
        if (replays_.independent(E, p, v)) below.insert(v);  // l.10
      } else if (v.size() > 1) {
        const auto m = static_cast<std::size_t>(at - v.begin());
        const Replayed* run = replays_.run(E + prefix(v, m + 1));
        bool independent = run != nullptr;
        for (std::size_t k = E.size(); independent && k < E.size() + m; ++k)
          independent = !run->order.before(k, E.size() + m);
        if (independent) below.insert(prefix(v, m) + suffix(v, m + 1));  // l.11
      }
    }
    return below;
  }

  void detect_races(const Schedule& E) {  // l.13
    const Replayed& run = *replays_.run(E);
    for (const Order::Race& race : run.order.races()) {
      const std::size_t i = race.first, j = race.second;
      if (i >= levels_.size() || !levels_[i].open) continue;
      const Schedule before = prefix(E, i);  // l.14
      const std::vector<std::size_t> seen_by = run.order.observers(i, j);
      const std::vector<std::size_t> core = reversal(run, race, seen_by);
      const Schedule v = moves(run, core);
      if (replays_.run(before + v) == nullptr || redundant(before, v)) continue;
      insert(before, v);  // l.19
      const Schedule dont =
          seen_by.empty() ? same_state(E, race, core) : same_observations(E, race, core, seen_by);
      if (!dont.empty()) levels_[i].dnd.insert(dont);
    }
  }

  static Schedule moves(const Replayed& run, const std::vector<std::size_t>& events) {
    Schedule out;
    for (const std::size_t k : events) out.push_back(run.events[k].move);
    return out;
  }

  // l.15, l.17
  static std::vector<std::size_t> reversal(const Replayed& run, const Order::Race& race,
                                           const std::vector<std::size_t>& seen_by) {
    const Order& order = run.order;
    std::vector<std::size_t> core = order.notdep(race);
    core.push_back(race.second);
    if (seen_by.empty()) return core;
    core.push_back(race.first);
    for (std::size_t k = race.first + 1; k < order.size(); ++k)
      if (order.before(race.first, k) && k != race.second &&
          std::ranges::none_of(seen_by,
                               [&](std::size_t o) { return o == k || order.before(o, k); }))
        core.push_back(k);
    core.push_back(seen_by.back());
    return core;
  }

  Schedule same_state(const Schedule& E, const Order::Race& race,
                      const std::vector<std::size_t>& core) {  // l.18
    const std::size_t i = race.first, j = race.second;
    const Replayed& run = *replays_.run(E);
    Schedule other;
    for (const std::size_t k : core)
      if (k <= j) other.push_back(E[k]);
    for (std::size_t k = i; k < j; ++k)
      if (k == i || run.order.before(i, k)) other.push_back(E[k]);
    const Replayed* reversed = replays_.run(prefix(E, i) + other);
    const bool same = reversed != nullptr && reversed->same_state(*replays_.run(prefix(E, j + 1)));
    return same ? moves(run, core) + E[i] : Schedule();
  }

  Schedule same_observations(const Schedule& E, const Order::Race& race,
                             const std::vector<std::size_t>& core,
                             const std::vector<std::size_t>& seen_by) {  // l.16
    const Replayed& run = *replays_.run(E);
    const std::size_t last = seen_by.back();
    Schedule others, other;
    for (const std::size_t o : seen_by)
      if (o != last) others.push_back(E[o]);
    for (const std::size_t k : core)
      if (k <= last) other.push_back(E[k]);
    const Replayed* reversed = replays_.run(prefix(E, race.first) + other + others);
    if (reversed == nullptr) return {};
    for (const std::size_t o : seen_by) {
      const Replayed& here = *replays_.run(prefix(E, o + 1));
      const ThreadId thread = run.events[o].move.thread;
      if (here.observed[thread] != reversed->observed[thread]) return {};
      for (const Access& a : machine_.footprints().accesses(run.events[o].footprint))
        if (a.mode != Mode::read && a.location < here.memory.size() &&
            here.memory[a.location] != reversed->memory[a.location])
          return {};
    }
    return moves(run, core) + others;
  }

  bool redundant(const Schedule& E, const Schedule& v) {
    for (std::size_t m = 0; m <= E.size(); ++m)
      for (const Move p : levels_[m].done)
        if (replays_.weak_initial(prefix(E, m), p, suffix(E, m) + v)) return true;
    return false;
  }

  void insert(Schedule E, Schedule v) {
    Branches* node = &levels_[E.size()].wut;
    bool at_root = true;
    for (;;) {
      if (!at_root && node->empty()) return;  // a leaf: v is covered by it
      const auto next = std::ranges::find_if(
          *node, [&](const WakeupTree& t) { return replays_.weak_initial(E, t.move, v); });
      if (next == node->end()) break;
      if (const auto at = std::ranges::find(v, next->move); at != v.end()) v.erase(at);
      E.push_back(next->move);
      node = &next->below;
      at_root = false;
    }
    for (const Move p : v) {
      node->push_back({p, {}});
      node = &node->back().below;
    }
  }

  Replays replays_;
  std::vector<Level> levels_;  // by length of E
};

}  // namespace

Result explore_published_optimal_context(Machine& machine, const ExploreOptions& options) {
  return OptimalContext(machine, options, Observers::no).explore();
}

Result explore_published_optimal_context_observers(Machine& machine,
                                                   const ExploreOptions& options) {
  return OptimalContext(machine, options, Observers::yes).explore();
}

}  // namespace heddle
