#include "core/reduction/merging_live.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include "core/order.hpp"
#include "core/reduction/depth_first.hpp"

namespace heddle {
namespace {

struct EventLess {
  bool operator()(const Event& x, const Event& y) const {
    return std::tie(x.move, x.footprint, x.step) < std::tie(y.move, y.footprint, y.step);
  }
};
struct ConfigurationLess {
  bool operator()(const std::vector<Event>& x, const std::vector<Event>& y) const {
    return std::lexicographical_compare(x.begin(), x.end(), y.begin(), y.end(), EventLess());
  }
};

using Configuration = std::vector<Event>;  // its last event, and those before it that lead there
using Summary = std::set<Configuration, ConfigurationLess>;
using Live = std::set<Location>;

// What is known of an explored state.
struct Explored {
  Summary summary;
  Live live;
};

// The explored states: by control, then by which memory counts, then by its values.
class States {
 public:
  const Explored* find(const std::vector<std::int64_t>& control,
                       const std::vector<std::int64_t>& memory) const {
    const auto same_control = by_control_.find(control);
    if (same_control == by_control_.end()) return nullptr;
    for (const auto& [locations, by_values] : same_control->second) {
      const auto hit = by_values.find(values(memory, locations));
      if (hit != by_values.end()) return hit->second.get();
    }
    return nullptr;
  }

  const Explored& keep(const std::vector<std::int64_t>& control,
                       const std::vector<std::int64_t>& memory, Explored known) {
    std::vector<Location> locations;
    for (const Location x : known.live) locations.push_back(x);
    auto& slot = by_control_[control][locations][values(memory, locations)];
    slot = std::make_unique<Explored>(std::move(known));
    return *slot;
  }

 private:
  using Values = std::vector<std::int64_t>;
  static Values values(const Values& memory, const std::vector<Location>& locations) {
    Values out;
    for (const Location x : locations) out.push_back(memory[x]);
    return out;
  }

  std::map<Values, std::map<std::vector<Location>, std::map<Values, std::unique_ptr<Explored>>>>
      by_control_;
};

class MergingLive : DepthFirst {
 public:
  MergingLive(Machine& machine, const ExploreOptions& options)
      : DepthFirst(machine, options, Counted::state),
        footprints_(machine.footprints()),
        order_(footprints_, {}, Observers::no, machine.cube().waits) {}

  Result explore() {
    return run([&] { visit(); });
  }

 private:
  struct Level {
    std::vector<Move> backtrack, enabled;
  };

  Explored visit() {  // l.1
    std::vector<Move> enabled;
    machine_.enabled(enabled);
    if (enabled.empty()) {
      const Explored here = waiting();
      end_run();
      return here;
    }
    std::vector<std::int64_t> control, memory;
    machine_.describe(control, memory);
    if (const Explored* known = states_.find(control, memory)) {  // l.3
      ++counts_.merged;
      for (const Configuration& c : known->summary) replay(c);
      return *known;
    }
    const std::size_t depth = levels_.size();
    levels_.push_back({{}, enabled});
    plan(depth, enabled.front());  // l.5
    Explored here = machine_.stuck() ? waiting() : Explored();
    machine_.save();
    for (std::size_t k = 0; k < levels_[depth].backtrack.size(); ++k) {
      const Event event = step(levels_[depth].backtrack[k]);
      order_.push(event);
      reverse_races();                 // l.6
      const Explored below = visit();  // l.7
      order_.pop();
      events_.pop_back();
      machine_.restore();
      summarise(event, below, here);
    }
    machine_.drop();
    levels_.pop_back();
    return states_.keep(control, memory, std::move(here));  // l.10
  }

  // l.2
  Explored waiting() {
    Explored here;
    for (const Pending& p : machine_.pending()) {
      const Configuration step = {{{p.thread, 0}, p.footprint, 0, 1}};
      replay(step);
      here.summary.insert(step);
    }
    return here;
  }

  void summarise(const Event& event, const Explored& below, Explored& here) const {
    if (!footprints_.times_out(event.footprint)) {  // l.8
      here.summary.insert({event});
      for (const Configuration& c : below.summary) lengthen(event, c, here.summary);
    }
    for (const Location x : below.live)  // l.9
      if (!writes(event, x)) here.live.insert(x);
    for (const Access& a : footprints_.accesses(event.footprint))
      if (observes_memory(a.mode)) here.live.insert(a.location);
  }

  void lengthen(const Event& event, const Configuration& c, Summary& out) const {
    Configuration longer = {event};
    longer.insert(longer.end(), c.begin(), c.end());
    const Order order(footprints_, longer, Observers::no, machine_.cube().waits, taken());
    if (!order.before(0, c.size())) longer.erase(longer.begin());
    const auto last = longer.end() - 1;
    if (std::none_of(longer.begin(), last, [&](const Event& e) { return hides(e, *last); }))
      out.insert(longer);
  }

  // The number of steps by thread, so far. (The same for all ways into a state: it is a part of
  // it.)
  std::vector<std::size_t> taken() const {
    if (machine_.cube().empty()) return {};
    std::vector<std::size_t> out(machine_.thread_count());
    for (const Event& e : events_) ++out[e.move.thread];
    return out;
  }

  bool writes(const Event& event, Location x) const {
    const auto accesses = footprints_.accesses(event.footprint);
    return std::ranges::any_of(accesses, [&](const Access& a) {
      return a.location == x && (a.mode == Mode::write || a.mode == Mode::write_in_block ||
                                 a.mode == Mode::alloc || a.mode == Mode::free);
    });
  }

  bool hides(const Event& earlier, const Event& last) const {
    const auto by = footprints_.accesses(earlier.footprint);
    return std::ranges::all_of(footprints_.accesses(last.footprint), [&](const Access& a) {
      return std::ranges::any_of(by, [&](const Access& b) {
        return b.location == a.location &&
               footprints_.dependence().stands_for(b.mode, a.mode, false);
      });
    });
  }

  // l.4
  void replay(const Configuration& c) {
    for (const Event& e : c) order_.push(e);
    reverse_races();
    for (std::size_t k = 0; k < c.size(); ++k) order_.pop();
  }

  // Reverses the races of the last event, whose first is an event of E.
  void reverse_races() {
    const std::size_t last = order_.size() - 1;
    for (const Order::Race& race : order_.races_of_last()) {
      if (race.first >= levels_.size())
        continue;  // of the summary alone: done when it was explored
      std::vector<std::size_t> v = order_.notdep(race);
      v.push_back(last);
      std::vector<Move> initials;
      for (std::size_t n = 0; n < v.size(); ++n)
        if (std::none_of(v.begin(), v.begin() + static_cast<std::ptrdiff_t>(n),
                         [&](std::size_t m) { return order_.before(m, v[n]); }))
          initials.push_back(order_.event(v[n]).move);
      const auto& planned = levels_[race.first].backtrack;
      if (std::ranges::none_of(
              initials, [&](Move m) { return std::ranges::find(planned, m) != planned.end(); }))
        plan(race.first, initials.front());
    }
  }

  // A data choice is planned with all its alternatives.
  void plan(std::size_t depth, Move move) {
    for (const Move m : levels_[depth].enabled)
      if (m.thread == move.thread) levels_[depth].backtrack.push_back(m);
  }

  const Footprints& footprints_;
  Order order_;
  States states_;
  std::vector<Level> levels_;
};

}  // namespace

Result explore_merging_live(Machine& machine, const ExploreOptions& options) {
  return MergingLive(machine, options).explore();
}

}  // namespace heddle
