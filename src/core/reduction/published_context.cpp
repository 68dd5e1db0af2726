#include "core/reduction/published_context.hpp"

#include <algorithm>
#include <set>

#include "core/reduction/depth_first.hpp"
#include "core/reduction/replayed.hpp"

namespace heddle {
namespace {

class ContextSensitive : DepthFirst {
 public:
  ContextSensitive(Machine& machine, const ExploreOptions& options)
      : DepthFirst(machine, options, Counted::state), replays_(machine, Observers::no) {}

  Result explore() {
    return run([&] { visit({}, {}); });
  }

 private:
  using Sleep = std::set<Schedule>;

  void visit(const Schedule& E, Sleep below) {  // l.1
    replays_.clear_if_large();
    const std::vector<Move> enabled = replays_.run(E)->enabled;
    const std::size_t depth = E.size();
    sleep_.resize(depth);
    backtrack_.resize(depth);
    sleep_.push_back(std::move(below));  // l.2
    backtrack_.emplace_back();
    counts_.events += depth == 0 ? 0 : 1;
    if (enabled.empty()) return finish(E);
    const auto asleep = [&](Move p) { return sleep_[depth].contains(Schedule{p}); };
    const auto first = std::ranges::find_if_not(enabled, asleep);  // l.3
    if (first == enabled.end()) {
      ++counts_.blocked;
      return;
    }
    backtrack_[depth] = {*first};                                 // l.4
    for (std::size_t k = 0; k < backtrack_[depth].size(); ++k) {  // l.5
      const Move p = backtrack_[depth][k];
      if (asleep(p)) continue;
      const Schedule longer = E + p;
      for (const Order::Race& race : replays_.run(longer)->order.races_of_last())  // l.6
        reverse(longer, race);
      Sleep inherited;
      for (const Schedule& v : sleep_[depth]) {
        if (v.front() != p && replays_.independent(E, p, v)) inherited.insert(v);  // l.15
        if (v.front() == p && v.size() > 1) inherited.insert(suffix(v, 1));        // l.16
      }
      visit(longer, std::move(inherited));  // l.17
      sleep_.resize(depth + 1);
      backtrack_.resize(depth + 1);
      sleep_[depth].insert({p});  // l.18
    }
  }

  void reverse(const Schedule& E, const Order::Race& race) {
    const Replayed& here = *replays_.run(E);
    const std::size_t i = race.first, j = race.second;
    const Schedule before = prefix(E, i);  // l.7
    Schedule v;                            // l.8
    for (const std::size_t k : here.order.notdep(race)) v.push_back(E[k]);
    v.push_back(E[j]);
    const std::vector<Move> first = initials(before, v);
    auto& planned = backtrack_[i];
    if (std::ranges::none_of(first, [&](Move m) {  // l.9
          return std::ranges::find(planned, m) != planned.end();
        }))
      planned.push_back(first.front());  // l.10
    Schedule vu = v;
    for (std::size_t k = i; k < j; ++k)  // l.11
      if (k == i || here.order.before(i, k)) vu.push_back(E[k]);
    const bool cut = std::ranges::any_of(sleep_[i], [&](const Schedule& w) {  // l.12
      return w.size() <= vu.size() && std::equal(w.begin(), w.end(), vu.begin());
    });
    if (cut) return;
    const Replayed* other = replays_.run(before + vu);
    if (other != nullptr && other->same_state(here)) sleep_[i].insert(vu);  // l.13, l.14
  }

  std::vector<Move> initials(const Schedule& E, const Schedule& v) {
    const Replayed& all = *replays_.run(E + v);
    std::vector<Move> out;
    for (std::size_t k = E.size(); k < all.events.size(); ++k) {
      bool initial = true;
      for (std::size_t i = E.size(); i < k; ++i) initial = initial && !all.order.before(i, k);
      if (initial) out.push_back(all.events[k].move);
    }
    return out;
  }

  void finish(const Schedule& E) {
    machine_.reset();
    events_.clear();
    for (const Move m : E) events_.push_back(machine_.step(m));
    end_run();
  }

  Replays replays_;
  std::vector<Sleep> sleep_;  // by length of E
  std::vector<std::vector<Move>> backtrack_;
};

}  // namespace

Result explore_published_context(Machine& machine, const ExploreOptions& options) {
  return ContextSensitive(machine, options).explore();
}

}  // namespace heddle
