#include "core/reduction/source.hpp"

#include <algorithm>
#include <unordered_map>

#include "core/order.hpp"
#include "core/reduction/depth_first.hpp"
#include "core/sleeper.hpp"

namespace heddle {
namespace {

// The accesses ever seen at each place whose accesses vary (deviation 3).
class Unions {
 public:
  explicit Unions(const Footprints& from) : from_(from), table_(from.dependence()) {}

  const Footprints& table() const { return table_; }

  // Whether the event had accesses that were not known.
  bool learn(const Event& event) {
    if (!varies(event.footprint)) return false;
    auto& known = by_step_[event.step];
    const std::size_t before = known.size();
    for (const Access& a : from_.accesses(event.footprint))
      if (std::ranges::find(known, a) == known.end()) known.push_back(a);
    return known.size() > before;
  }

  Event widen(Event event) {
    const auto accesses = from_.accesses(event.footprint);
    event.footprint =
        varies(event.footprint) ? table_.intern(by_step_[event.step]) : table_.intern(accesses);
    return event;
  }

  Event waiting(const Pending& p) {
    return {{p.thread, 0}, table_.intern(from_.accesses(p.footprint)), 0, 1};
  }

 private:
  // A compare-and-swap or a try-lock depends on the same steps in either mode.
  bool varies(FootprintId id) const { return from_.varies(id) >= Varies::anything; }

  const Footprints& from_;
  Footprints table_;
  std::unordered_map<StepId, std::vector<Access>> by_step_;
};

class SourceDpor : DepthFirst {
 public:
  SourceDpor(Machine& machine, const ExploreOptions& options)
      : DepthFirst(machine, options, Counted::trace),
        unions_(machine.footprints()),
        order_(unions_.table(), {}, Observers::no, machine.cube().waits) {}

  Result explore() {
    for (;;) try {
        return run([&] { visit({}); });
      } catch (StartOver) {
        counts_ = {};
        events_.clear();
        levels_.clear();
        order_ = Order(unions_.table(), {}, Observers::no, machine_.cube().waits);
      }
  }

 private:
  struct StartOver {};
  using Sleep = std::vector<Event>;  // the next steps of those asleep
  struct Level {
    std::vector<Move> backtrack, enabled;
  };

  static bool asleep(const Sleep& sleep, Move move) {
    return std::ranges::any_of(sleep, [&](const Event& e) { return e.move == move; });
  }

  void visit(Sleep sleep) {  // l.1
    std::vector<Move> enabled;
    machine_.enabled(enabled);
    if (machine_.stuck()) reverse_races_of_waiting();
    if (enabled.empty()) return end_run();
    const auto first =
        std::ranges::find_if(enabled, [&](Move m) { return !asleep(sleep, m); });  // l.2
    if (first == enabled.end()) {
      reverse_races_of_waiting();
      ++counts_.blocked;
      return;
    }
    const std::size_t depth = levels_.size();
    levels_.push_back({{}, enabled});
    plan(depth, *first);  // l.3
    machine_.save();
    for (std::size_t k = 0; k < levels_[depth].backtrack.size(); ++k) {  // l.4
      const Move move = levels_[depth].backtrack[k];
      if (asleep(sleep, move)) continue;
      const Event event = step(move);
      if (unions_.learn(event)) throw StartOver();
      const Event wide = unions_.widen(event);
      order_.push(wide);
      for (const Order::Race& race : order_.races_of_last())  // l.5
        reverse(race, wide);
      Sleep below;
      for (const Event& q : sleep)
        if (q.move.thread != move.thread &&
            !wakes(
                unions_.table(), q.footprint, wide,
                [&](std::size_t at) -> const Event& { return order_.event(at); }, depth))
          below.push_back(q);
      visit(std::move(below));  // l.8
      sleep.push_back(wide);    // l.9
      order_.pop();
      events_.pop_back();
      machine_.restore();
    }
    machine_.drop();
    levels_.pop_back();
  }

  void reverse_races_of_waiting() {  // deviation 1
    for (const Pending& p : machine_.pending()) {
      const Event waiting = unions_.waiting(p);
      for (const Order::Race& race : order_.races_of_pending(waiting)) reverse(race, waiting);
    }
  }

  void reverse(const Order::Race& race, const Event& last) {
    const std::vector<std::size_t> v = order_.notdep(race);  // l.6, without its last step
    std::vector<Move> initials;
    for (std::size_t n = 0; n < v.size(); ++n)
      if (std::none_of(v.begin(), v.begin() + static_cast<std::ptrdiff_t>(n),
                       [&](std::size_t m) { return order_.before(m, v[n]); }))
        initials.push_back(order_.event(v[n]).move);
    const bool last_is_initial = std::ranges::none_of(v, [&](std::size_t m) {
      const Event& e = order_.event(m);
      return e.move.thread == last.move.thread ||
             unions_.table().dependent(e.footprint, last.footprint);
    });
    if (last_is_initial) initials.push_back(last.move);
    const auto& planned = levels_[race.first].backtrack;
    if (std::ranges::none_of(initials, [&](Move m) {  // l.7
          return std::ranges::find(planned, m) != planned.end();
        }))
      plan(race.first, initials.front());
  }

  void plan(std::size_t depth, Move move) {  // deviation 2
    for (const Move m : levels_[depth].enabled)
      if (m.thread == move.thread) levels_[depth].backtrack.push_back(m);
  }

  Unions unions_;
  Order order_;
  std::vector<Level> levels_;
};

}  // namespace

Result explore_source(Machine& machine, const ExploreOptions& options) {
  return SourceDpor(machine, options).explore();
}

}  // namespace heddle
