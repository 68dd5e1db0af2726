// The frontier: the tree, and what is to be run next. It alone writes the tree: it grows by the
// runs that were made (l.1 of reduction/optimal.hpp) and by the insertions that were planned (l.5
// to l.8), in whatever order they come.
//
// It hands out requests and gives each a ticket; when the log of a ticket has come, task() tells
// what was asked for. A ticket lives from claim to finish:
//
//   a leaf     planned in the tree -> claimed -> finished
//   a probe    deferred (it has its ticket from then on) -> claimed -> finished
//   an end     found when a tree is restored -> claimed -> finished
//
// Invariants:
//   (1) A node that a ticket refers to stays in the tree: a claimed leaf is unfinished, and the
//   node
//       of a probe is held.
//   (2) No leaf and no probe is claimed before all ends are finished: until then the events of the
//       tree are not known, and nothing can be told of what sleeps.
//   (3) Nodes are freed by claim_leaf only. path_ and submitted_ may refer to freed ones, and
//   notice
//       by their serial numbers.
//   (4) events_, left_ and left_end_ are those of path_.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "base/check.hpp"
#include "base/random.hpp"
#include "core/order.hpp"
#include "core/path.hpp"
#include "core/result.hpp"
#include "core/sleeper.hpp"
#include "core/task.hpp"
#include "core/tickets.hpp"
#include "core/tree.hpp"

namespace heddle {

template <typename Reduction>
class Frontier {
 public:
  Frontier(const Footprints& footprints, Reduction reduction, ExploreOptions::Pick order,
           std::uint64_t seed)
      : footprints_(footprints), reduction_(std::move(reduction)), order_(order), random_(seed) {
    if (is_random()) planned_ = tree_.planned();
  }

  // What an earlier frontier left. Throws Misuse if it is not that. REQUIRES: nothing was claimed.
  void restore(const SavedFrontier& saved) {
    HEDDLE_CHECK(tickets_.empty());
    tree_.restore(saved.tree);
    for (const SavedReversal& s : saved.deferred) {
      Node* first = tree_.at(s.path);
      std::vector<Event> v;
      for (const Move move : s.v) v.push_back({.move = move});
      defer(first, v);
    }
    ends_ = tree_.ends();
    std::ranges::reverse(ends_);  // claimed from the last to the first: runs in a row share most
    ends_unknown_ = ends_.size();
    if (is_random()) planned_ = tree_.planned();
  }

  // What is left to do, with all that is claimed.
  SavedFrontier save() {
    SavedFrontier out;
    tickets_.for_each([&](const Ticket& t) {
      if (t.kind == Task::Kind::leaf) tree_.unclaim(t.node);
      if (t.kind != Task::Kind::probe) return;
      SavedReversal& saved = out.deferred.emplace_back();
      tree_.path_to(t.node, saved.path);
      for (const Event& e : t.v) saved.v.push_back(e.move);
    });
    out.tree = tree_.save();
    tickets_.for_each([&](const Ticket& t) {
      if (t.kind == Task::Kind::leaf) tree_.claim(t.node);
    });
    return out;
  }

  const Tree& tree() const { return tree_; }

  // Whether there is a leaf to claim. Frees what is no longer needed.
  bool has_leaf() {
    next_leaf_ = ends_unknown_ == 0 ? tree_.leftmost() : nullptr;
    return next_leaf_ != nullptr;
  }

  // l.1: to run along the path to a leaf, and to continue to the end of the program. What the
  // request refers to is valid until the next one. REQUIRES: has_leaf() was the last call.
  Request claim_leaf() {
    Node* leaf = next_leaf();
    tree_.claim(leaf);
    const std::size_t shared = submitted_.lead_to(leaf);
    schedule_.resize(shared);
    for (const Node* node : submitted_.nodes().subspan(shared))
      schedule_.push_back(node->head.move);
    known_.resize(std::min(known_.size(), shared));
    for (const Node* node : submitted_.nodes().subspan(known_.size())) {
      if (node->vague) break;
      known_.push_back(node->head);
    }
    const std::uint64_t seed = is_random() ? random_.next() | 1 : 0;
    return {schedule_, Request::Then::proceed, seed, tickets_.add(Task::Kind::leaf, leaf), known_};
  }

  // What leaves should wait for, if there is any: the ends of a restored tree, and probes.
  std::optional<Request> claim_urgent() {
    if (!ends_.empty()) {
      Node* end = ends_.back();
      ends_.pop_back();
      tree_.path_to(end, other_);
      return Request{other_, Request::Then::stop, 0, tickets_.add(Task::Kind::end, end)};
    }
    if (deferred_.empty() || ends_unknown_ != 0) return {};
    const std::uint64_t ticket = deferred_.back();
    deferred_.pop_back();
    schedule_of(ticket, other_);
    return Request{other_, Request::Then::stop, 0, ticket};
  }

  // The schedule that was asked for.
  void schedule_of(std::uint64_t ticket, Schedule& out) const {
    const Ticket& t = tickets_[ticket];
    tree_.path_to(t.kind == Task::Kind::probe ? t.node->parent : t.node, out);
    for (const Event& e : t.v) out.push_back(e.move);
  }

  // What was asked for, once its log has come.
  Task task(std::uint64_t ticket) {
    const Ticket& t = tickets_[ticket];
    lead_to(t.node);
    return {ticket, t.kind, events_, left_, left_end_, t.node->attached_at, t.v, unchanged_};
  }

  // An end has been run: what the moves to it do.
  void learn(const Task& end, std::span<const Event> events) {
    HEDDLE_CHECK(end.kind == Task::Kind::end && ends_unknown_ != 0);
    for (std::size_t k = 0; k < path_.size() && k < events.size(); ++k) path_[k]->head = events[k];
    // What is left of later paths may change with it.
    if (--ends_unknown_ == 0) forget_path();
  }

  // A leaf has been run: at which event of its path the run does something else than planned, if it
  // does. REQUIRES: task() was the last call, and the log reaches the leaf.
  std::optional<std::size_t> divergence(const Log& log) const {
    for (std::size_t k = log.known; k < path_.size(); ++k)
      if (log.events[k].footprint != path_[k]->head.footprint) return k;
    return {};
  }

  // Adds the run of a leaf. Where it made a data choice, the other alternatives are planned beside
  // it. REQUIRES: there is no divergence, and task() was the last call but for that. What the task
  // refers to is no longer valid.
  void grow(const Log& log) {
    for (std::size_t k = log.known; k < path_.size(); ++k) {
      events_[k] = path_[k]->head = log.events[k];
      path_[k]->vague = false;
    }
    for (std::size_t k = path_.size(); k < log.events.size(); ++k) {
      path_.extend(tree_.extend(node_before(k), log.events[k]));
      events_.push_back(log.events[k]);
      left_end_.push_back(static_cast<std::uint32_t>(left_.size()));
      plan_alternatives(path_[k], log.events[k]);
    }
  }

  // Inserts what was planned for the task that came last. What hangs on something that is not known
  // is deferred, to be probed.
  void apply(const Plan& plan) {
    for (std::size_t k = 0; k < plan.size(); ++k) {
      const Insertion insertion = plan[k];
      HEDDLE_CHECK(insertion.at < path_.size() && !insertion.v.empty());
      if (insertion.last == Insertion::Last::unknown || !insert(insertion))
        defer(path_[insertion.at], insertion.v);
    }
    unchanged_ = path_.size();
  }

  // All that the ticket was for has been done.
  void finish(std::uint64_t ticket) {
    const Ticket& t = tickets_[ticket];
    if (t.kind != Task::Kind::end) tree_.finish(t.node);
    tickets_.remove(ticket);
  }

 private:
  using Ticket = Tickets::Ticket;

  bool is_random() const { return order_ == ExploreOptions::Pick::random; }

  Node* next_leaf() {
    HEDDLE_CHECK(next_leaf_ != nullptr);
    Node* leaf = next_leaf_;
    next_leaf_ = nullptr;
    if (!is_random()) return leaf;
    std::swap(planned_[random_.below(planned_.size())], planned_.back());
    leaf = planned_.back();
    planned_.pop_back();
    return leaf;
  }

  Node* node_before(std::size_t k) { return k == 0 ? tree_.root() : path_[k - 1]; }

  void lead_to(Node* node) {
    const std::size_t shared = path_.lead_to(node);
    unchanged_ = std::min(unchanged_, shared);
    events_.resize(shared);
    left_end_.resize(shared);
    left_.resize(shared == 0 ? 0 : left_end_.back());
    for (std::size_t k = shared; k < path_.size(); ++k) {
      for (const Node* n = path_[k]->parent->first_child; n != path_[k]; n = n->next)
        left_.push_back(n->head);
      left_end_.push_back(static_cast<std::uint32_t>(left_.size()));
      events_.push_back(path_[k]->head);
    }
  }

  void forget_path() {
    path_ = {};
    events_.clear();
    left_.clear();
    left_end_.clear();
    unchanged_ = 0;
  }

  void plan_alternatives(Node* taken, const Event& event) {
    if (event.alternatives == 1) return;
    Event other = event;
    if (footprints_.varies(event.footprint) == Varies::choices) {
      other.move.alternative = static_cast<std::uint16_t>(event.alternatives - 1);
      return defer(taken, std::span(&other, 1));
    }
    for (std::uint16_t k = 0; k < event.alternatives; ++k) {
      other.move.alternative = k;
      if (k != event.move.alternative) add(taken->parent, std::span(&other, 1));
    }
  }

  void defer(Node* node, std::span<const Event> v) {
    tree_.hold(node);
    deferred_.push_back(tickets_.add(Task::Kind::probe, node, v));
  }

  // l.5 to l.8. False if where it belongs hangs on what its last event does, and that is not known.
  bool insert(const Insertion& insertion) {
    v_.assign(insertion.v.begin(), insertion.v.end());
    walked_.clear();
    const std::span<const Event> before = std::span(events_).first(insertion.at);
    bool exact = insertion.last == Insertion::Last::exact;
    Node* node = node_before(insertion.at);
    Node* branch = path_[insertion.at]->next;
    for (;;) {  // l.5
      const Answer fits = find_sleeping(branch, node->depth, {{before, walked_, v_}, exact});
      if (fits == Answer::unknown) return false;
      if (fits == Answer::no) break;
      exact = take_out_of_v(branch->head.move) || exact;  // l.6
      node = branch;
      walked_.push_back(node->head);
      if (node->is_insertion_end() || v_.empty()) return true;  // l.7
      branch = node->first_child;
    }
    if (!exact) return false;
    add(node, v_);  // l.8
    return true;
  }

  // Moves on from this branch to the first that sleeps through v.
  Answer find_sleeping(Node*& branch, std::uint32_t since, const Candidate& candidate) const {
    for (; branch != nullptr; branch = branch->next) {
      Sleeper sleeper = Sleeper::of(branch->head, since);
      const Answer answer = sleeps_through(reduction_, footprints_, sleeper, candidate);
      if (answer != Answer::no) return answer;
    }
    return Answer::no;
  }

  // True if it was the last of v.
  bool take_out_of_v(Move move) {
    const auto same = [&](const Event& e) { return e.move.thread == move.thread; };
    const auto found = std::ranges::find_if(v_, same);
    if (found == v_.end()) return false;
    const bool is_last = found + 1 == v_.end();
    v_.erase(found);
    return is_last;
  }

  void add(Node* at, std::span<const Event> sequence) {
    Node* leaf = tree_.insert(at, sequence);
    // The last comes where others were before; of unordered writes, others may have come between.
    for (Node* n = leaf; n != at; n = n->parent) {
      n->vague = n->head.value != 0;
      if (Reduction::observers == Observers::no) break;
    }
    if (is_random()) planned_.push_back(leaf);
  }

  const Footprints& footprints_;
  Reduction reduction_;
  ExploreOptions::Pick order_;
  Random random_;
  Tree tree_;
  Node* next_leaf_ = nullptr;   // the leftmost, if it was asked for
  std::vector<Node*> planned_;  // leaves, where the order is random

  Tickets tickets_;
  std::vector<std::uint64_t> deferred_;  // tickets of probes that are not claimed
  std::vector<Node*> ends_;              // of a restored tree, not claimed
  std::size_t ends_unknown_ = 0;         // and not finished

  // The leaf that was claimed last: where it is, its schedule, and what is known to happen there.
  Path submitted_;
  Schedule schedule_;
  std::vector<Event> known_;
  Schedule other_;  // that of the last request for something else

  // The path of the task that came last, and of its run.
  Path path_;
  std::vector<Event> events_, left_;
  std::vector<std::uint32_t> left_end_;
  std::size_t unchanged_ = 0;  // so much of it since something was last applied

  // The current insertion, and the branches it has walked through.
  std::vector<Event> v_, walked_;
};

}  // namespace heddle
