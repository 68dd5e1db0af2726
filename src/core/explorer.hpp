// The any-order exploration that Optimal-DPOR and its variants share. What a variant is, its
// Reduction tells: which order events have, how a race is reversed, and what wakes a sleeper. See
// reduction/optimal.hpp for the algorithm; lines refer to it.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "base/check.hpp"
#include "base/random.hpp"
#include "core/execution.hpp"
#include "core/result.hpp"
#include "core/sleeper.hpp"
#include "core/tree.hpp"
#include "model/runner.hpp"

namespace heddle {

template <typename Reduction>
class Explorer {
 public:
  Explorer(Runner& runner, Reduction reduction, const ExploreOptions& options)
      : runner_(runner),
        footprints_(runner.footprints()),
        reduction_(std::move(reduction)),
        options_(options),
        random_(options.seed),
        execution_(footprints_, runner.thread_count(), Reduction::observers) {}

  Result explore() {
    if (random_order()) planned_.push_back(tree_.root());
    while (Node* leaf = pick()) {  // l.1, l.9
      run(leaf);
      for (const Race& race : execution_.races())  // l.2
        if (!planned_before(race, leaf)) reverse(race);
      tree_.finish(leaf);
      if (limit_reached()) return {counts_, tree_.leftmost() == nullptr};
    }
    return {counts_, true};
  }

 private:
  enum class Answer : std::uint8_t { no, yes, unknown };

  bool random_order() const { return options_.order == ExploreOptions::Pick::random; }
  bool limit_reached() const {
    return options_.max_executions != 0 &&
           counts_.executions + counts_.blocked >= options_.max_executions;
  }

  Node* pick() {
    Node* leftmost = tree_.leftmost();
    if (leftmost == nullptr || !random_order()) return leftmost;
    std::swap(planned_[random_.below(planned_.size())], planned_.back());
    Node* leaf = planned_.back();
    planned_.pop_back();
    return leaf;
  }

  void plan(Node* at, std::span<const Event> sequence) {
    Node* leaf = tree_.insert(at, sequence);
    if (random_order()) planned_.push_back(leaf);
  }

  // Runs the program along the path to the leaf and on to its end, and adds what it did to the
  // tree.
  void run(Node* leaf) {
    const std::size_t shared = follow(leaf);
    schedule_.clear();
    for (const Node* n : path_) schedule_.push_back(n->head.move);
    const std::uint64_t seed = random_order() ? random_.next() | 1 : 0;
    runner_.submit({schedule_, Request::Then::go_on, seed, 0});
    const Log& log = runner_.next();
    if (log.ending == Ending::misfit)
      throw Bug("a planned schedule does not fit the program: step " +
                std::to_string(log.misfit_at + 1) + ": " + log.misfit);
    counts_.transitions += log.events.size();
    counts_.count(log.ending, log.finding);
    if (options_.on_run) options_.on_run(log);
    extend(leaf, log);
    execution_.assign(log.events, log.pending);
    put_to_sleep(shared);
  }

  // Makes the path to the leaf the current one; returns how much of it was so before.
  std::size_t follow(Node* leaf) {
    tree_.path_to(leaf, path_);
    std::size_t shared = 0;
    const std::size_t most = std::min(path_.size(), serials_.size());
    while (shared < most && path_[shared]->serial == serials_[shared]) ++shared;
    return shared;
  }

  void extend(Node* leaf, const Log& log) {
    HEDDLE_CHECK(log.events.size() >= path_.size());
    for (std::size_t k = 0; k < path_.size(); ++k)  // planned events are what happens
      HEDDLE_CHECK(log.events[k].footprint == path_[k]->head.footprint);
    Node* at = leaf;
    for (std::size_t k = path_.size(); k < log.events.size(); ++k) {
      const Event& event = log.events[k];
      Node* next = tree_.extend(at, event);
      path_.push_back(next);
      // Where a run makes a data choice, its other alternatives are planned beside it.
      for (std::uint16_t other = 0; event.alternatives > 1 && other < event.alternatives; ++other) {
        if (other == event.move.alternative) continue;
        Event alternative = event;
        alternative.move.alternative = other;
        plan(at, std::span(&alternative, 1));
      }
      at = next;
    }
  }

  // Brings the sleepers at each node of the path up to date, from where it left the one before.
  // Those before the k-th event are sleepers_[sleepers_at_[k]] to sleepers_[sleepers_at_[k + 1]].
  void put_to_sleep(std::size_t shared) {
    serials_.resize(shared);
    sleepers_.resize(shared + 1 < sleepers_at_.size() ? sleepers_at_[shared + 1] : 0);
    sleepers_at_.resize(shared + 1);
    for (std::size_t k = shared; k < path_.size(); ++k) {
      serials_.push_back(path_[k]->serial);
      const std::size_t begin = sleepers_at_[k];
      const std::size_t end = sleepers_.size();
      sleepers_at_.push_back(end);
      const auto at = static_cast<std::uint32_t>(k);
      const Trail trail{path_, {}, {}};
      const auto carry = [&](Sleeper s) {
        reduction_.advance(s, path_[k]->head, trail, at);
        if (s.state != Sleeper::State::awake) sleepers_.push_back(s);
      };
      for (std::size_t s = begin; s < end; ++s) carry(sleepers_[s]);
      for (const Node* left = first_branch(k); left != path_[k]; left = left->next)
        carry(Sleeper::of(left->head, at));
    }
    HEDDLE_CHECK(sleepers_.size() == sleepers_at_.back());  // no run is redundant
    sleepers_at_.push_back(sleepers_.size());
  }

  Node* node_before(std::size_t k) { return k == 0 ? tree_.root() : path_[k - 1]; }
  Node* first_branch(std::size_t k) { return node_before(k)->first_child; }

  // A race of the part of the path that older leaves share, whose reversal could only repeat
  // theirs: everything this run added to that part happens after the race's first event, so v is no
  // more than a beginning of the v that was (or will be) planned from there.
  bool planned_before(const Race& race, const Node* leaf) const {
    return Reduction::observers == Observers::no && race.second < leaf->attached_at &&
           execution_.before_all_from(race.first, leaf->attached_at);
  }

  void reverse(const Race& race) {
    reduction_.reversal(execution_, race, v_);  // l.3
    exact_ = footprints_.varies(v_.back().footprint) == Varies::no;
    beyond_ = race.first;
    walked_.clear();
    if (is_covered(race.first)) return;  // l.4
    Node* node = node_before(race.first);
    Node* branch = path_[race.first]->next;
    for (;;) {  // l.5
      while (branch != nullptr && !sleeps_through_v(Sleeper::of(branch->head, node->depth)))
        branch = branch->next;
      if (branch == nullptr) break;
      take_out_of_v(branch->head.move);  // l.6
      node = branch;
      walked_.push_back(node);
      if (node->leaf || v_.empty()) return;  // l.7
      branch = node->first_child;
    }
    make_exact();
    plan(node, v_);  // l.8
  }

  bool is_covered(std::uint32_t at) {
    for (std::size_t s = sleepers_at_[at]; s < sleepers_at_[at + 1]; ++s)
      if (sleeps_through_v(sleepers_[s])) return true;
    for (const Node* left = first_branch(at); left != path_[at]; left = left->next)
      if (sleeps_through_v(Sleeper::of(left->head, at))) return true;
    return false;
  }

  bool sleeps_through_v(const Sleeper& sleeper) {
    Answer answer = ask(sleeper);
    if (answer == Answer::unknown) {
      make_exact();
      answer = ask(sleeper);
    }
    return answer == Answer::yes;
  }

  // Whether the sleeper is still asleep, or covers all, after v.
  Answer ask(Sleeper sleeper) const {
    const Trail trail{std::span(path_).first(beyond_), walked_, v_};
    for (std::size_t k = 0; k < v_.size(); ++k) {
      if (!exact_ && k + 1 == v_.size() && in_doubt(sleeper)) return Answer::unknown;
      reduction_.advance(sleeper, v_[k], trail,
                         static_cast<std::uint32_t>(beyond_ + walked_.size() + k));
      if (sleeper.state == Sleeper::State::awake) return Answer::no;
      if (sleeper.state == Sleeper::State::covered) return Answer::yes;
    }
    return Answer::yes;
  }

  // The last event of v has not been run in this order: what it would do is known only in part.
  bool in_doubt(const Sleeper& sleeper) const {
    const Event& last = v_.back();
    if (sleeper.state != Sleeper::State::pledged && sleeper.move.thread == last.move.thread)
      return false;
    return footprints_.varies(last.footprint) == Varies::anything ||
           footprints_.share_location(sleeper.footprint, last.footprint);
  }

  // Runs the program along v, to see what its last event does there.
  void make_exact() {
    if (exact_) return;
    schedule_.clear();
    for (std::size_t k = 0; k < beyond_; ++k) schedule_.push_back(path_[k]->head.move);
    for (const Node* n : walked_) schedule_.push_back(n->head.move);
    for (const Event& e : v_) schedule_.push_back(e.move);
    runner_.submit({schedule_, Request::Then::stop, 0, 0});
    const Log& log = runner_.next();
    if (log.ending == Ending::misfit)
      throw Bug("a reversal does not fit the program: step " + std::to_string(log.misfit_at + 1) +
                ": " + log.misfit);
    v_.back() = log.events.back();
    exact_ = true;
  }

  void take_out_of_v(Move move) {
    const auto same = [&](const Event& e) { return e.move.thread == move.thread; };
    const auto found = std::ranges::find_if(v_, same);
    if (found == v_.end()) return;
    if (found + 1 == v_.end()) exact_ = true;
    v_.erase(found);
  }

  Runner& runner_;
  const Footprints& footprints_;
  Reduction reduction_;
  const ExploreOptions& options_;
  Random random_;
  Counts counts_;
  Tree tree_;
  Execution execution_;
  std::vector<Node*> planned_;  // leaves, where the order is random
  Schedule schedule_;

  // The current path, and who sleeps where on it.
  std::vector<Node*> path_;
  std::vector<std::uint64_t> serials_;
  std::vector<Sleeper> sleepers_;
  std::vector<std::size_t> sleepers_at_ = {0};

  // The current reversal, to come behind the first beyond_ events of the path and the nodes walked
  // through since.
  std::vector<Event> v_;
  std::size_t beyond_ = 0;
  std::vector<Node*> walked_;
  bool exact_ = true;
};

}  // namespace heddle
