#include "core/reduction/state_graph.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "base/check.hpp"
#include "core/sleeper.hpp"

namespace heddle {

StateGraph::StateGraph(const Footprints& footprints, const Cube& cube, Random* random,
                       const Stretches& stretches)
    : footprints_(footprints),
      configurations_(footprints, cube.waits),
      random_(random),
      plain_(stretches) {
  resume_at(add());
}

StateNode* StateGraph::add() {
  const auto number = unused_.empty() ? nodes_.size() : unused_.back()->number;
  if (unused_.empty()) {
    nodes_.emplace_back();
  } else {
    std::destroy_at(unused_.back());
    std::construct_at(unused_.back());
    unused_.pop_back();
  }
  StateNode* node = &nodes_[number];
  node->number = static_cast<std::uint32_t>(number);
  node->last_merge = merges_;
  return node;
}

StateNode* StateGraph::find(const Digest& digest) const {
  const auto found =
      by_digest_.find(digest.first, [&](std::uint32_t k) { return nodes_[k].digest == digest; });
  return found == IndexTable::none ? nullptr : const_cast<StateNode*>(&nodes_[found]);
}

void StateGraph::resume_at(StateNode* node) {
  ++node->busy;
  add_job({node, {}});
}

void StateGraph::path_to(const StateNode* node, std::vector<Event>& out) {
  out.resize(node->depth);
  for (; node->parent != nullptr; node = node->parent) out[node->depth - 1] = node->by;
}

StateGraph::Reached StateGraph::extend(StateNode* u, const Event& event, const Digest& digest,
                                       StretchId stretch) {
  // It can be that a run was claimed from u on, and then this move, too.
  if (const Branch* done = u->find(event.move);
      done != nullptr && done->state == Branch::State::executed)
    return {done->to, false};
  Branch* branch = execute(u, event);
  StateNode* s = find(digest);
  const bool listed = s == nullptr && !full_;
  if (s != nullptr && !raise_level(u, s)) s = nullptr;
  const bool is_new = s == nullptr;
  if (is_new) {
    s = add();
    s->parent = u;
    s->by = event;
    s->depth = u->depth + 1;
    s->level = u->level + 1;
    s->digest = digest;
    s->listed = listed;  // not if it would close a cycle
    if (listed) by_digest_.add(digest.first, s->number);
    passed(u, event.move, scratch_);
    s->asleep.assign(scratch_);
  }
  link(u, *branch, s, stretch);
  if (is_new) return {s, true};
  s->last_merge = ++merges_;
  if (!s->asleep.empty()) wake_after(u, event.move);
  for (std::size_t k = 0; k < s->summary.size(); ++k)
    carry(u, s->incoming.back().step, s->summary[k]);
  return {s, false};
}

void StateGraph::link(StateNode* u, Branch& branch, StateNode* s, StretchId stretch) {
  branch.to = s;
  branch.state = Branch::State::executed;
  s->incoming.push_back({u, branch.step, stretch});
  carry_plain(u, branch.step, stretch, s);
  if (configurations_.can_race(branch.step) && !footprints_.times_out(branch.event.footprint))
    learn(u, configurations_.alone(branch.step));
}

// The branch of the event, planned if it was not, and as it turned out to be.
Branch* StateGraph::execute(StateNode* u, const Event& event) {
  if (event.alternatives > 1) plan(u, event);
  if (u->find(event.move) == nullptr) add_branch(u, event);
  Branch* branch = u->find(event.move);
  branch->event = event;
  branch->step = number_of(u, event);
  branch->state = Branch::State::claimed;
  return branch;
}

StepNumber StateGraph::number_of(const StateNode* u, const Event& event) {
  std::uint32_t index = 0;
  if (configurations_.needs_index())
    for (const StateNode* node = u; node->parent != nullptr; node = node->parent)
      if (node->by.move.thread == event.move.thread) ++index;
  return configurations_.step({event.move, event.footprint, event.alternatives, index});
}

// --- what is planned

void StateGraph::add_branch(StateNode* u, const Event& event) {
  Branch branch;
  branch.event = event;
  u->branches.push_back(branch);
}

// A data choice is planned with all its alternatives.
void StateGraph::plan(StateNode* u, const Event& event) {
  Event one = event;
  for (std::uint16_t k = 0; k < event.alternatives; ++k) {
    if (event.alternatives > 1) one.move.alternative = k;
    if (u->find(one.move) != nullptr) continue;
    add_branch(u, one);
    add_job({u, one.move});
  }
}

void StateGraph::add_job(const Job& job) {
  const std::size_t depth = random_ == nullptr ? job.node->depth : 0;
  if (depth >= jobs_.size()) jobs_.resize(depth + 1);
  jobs_[depth].push_back(job);
  deepest_ = std::max(deepest_, depth);
}

bool StateGraph::is_due(const Job& job) const {
  if (!job.move) return true;
  return job.node->find(*job.move)->state == Branch::State::planned && !job.node->sleeps(*job.move);
}

bool StateGraph::has_job() {
  for (;;) {
    while (deepest_ > 0 && jobs_[deepest_].empty()) --deepest_;
    std::vector<Job>& from = jobs_[deepest_];
    if (from.empty()) return false;
    if (is_due(from.back())) return true;
    from.pop_back();
  }
}

std::optional<StateGraph::Job> StateGraph::claim() {
  while (has_job()) {
    std::vector<Job>& from = jobs_[deepest_];
    if (random_ != nullptr) std::swap(from[random_->below(from.size())], from.back());
    const Job job = from.back();
    from.pop_back();
    if (!is_due(job)) continue;
    if (job.move) {
      job.node->find(*job.move)->state = Branch::State::claimed;
      ++job.node->busy;
    }
    return job;
  }
  return std::nullopt;
}

// --- summaries

void StateGraph::learn_waiting(StateNode* u, const Pending& pending) {
  const StepNumber step = number_of(u, {{pending.thread, 0}, pending.footprint, 0, 1});
  if (configurations_.can_race(step)) learn(u, configurations_.alone(step));
}

// l.5
void StateGraph::learn(StateNode* u, ConfigurationNumber c) {
  const auto* at = std::ranges::lower_bound(u->summary, c);
  if (at != u->summary.end() && *at == c) return;
  u->summary.insert(at, c);
  to_learn_.push_back({u, c});
}

void StateGraph::learn_all() {
  while (!to_learn_.empty()) {
    const auto [u, c] = to_learn_.back();
    to_learn_.pop_back();
    for (std::size_t k = 0; k < u->incoming.size(); ++k) {
      const auto [from, step, stretch] = u->incoming[k];
      carry(from, step, c);
    }
  }
  while (!plain_grew_.empty()) {
    StateNode* const u = plain_grew_.back();
    plain_grew_.pop_back();
    u->plain_grew = false;
    carry_plain(u);
  }
  std::erase_if(tracing_, [&](Tracing& t) { return trace(t); });
}

void StateGraph::carry(StateNode* u, StepNumber e, ConfigurationNumber c) {
  using Race = Configurations::Carried::Race;
  const auto carried = configurations_.carry(e, c);
  if (carried.race != Race::no) reverse(u, c, carried.race == Race::if_enabled);
  for (std::uint8_t k = 0; k < carried.count; ++k) learn(u, carried.to[k]);
}

// l.7
void StateGraph::reverse(StateNode* u, ConfigurationNumber c, bool if_enabled) {
  const auto firsts = configurations_.firsts(c);
  const auto move = [&](StepNumber first) { return configurations_.step(first).move; };
  if (std::ranges::any_of(firsts, [&](StepNumber f) { return u->find(move(f)) != nullptr; }))
    return;
  if (if_enabled) {
    const Access& wanted = configurations_.wanted(c);
    if (!configurations_.enabled(c, held_at(u, wanted))) return;
  }
  auto chosen = std::ranges::find_if(firsts, [&](StepNumber f) { return u->sleeps(move(f)); });
  if (chosen == firsts.end())
    chosen =
        firsts.begin() + (random_ == nullptr ? 0 : std::ptrdiff_t(random_->below(firsts.size())));
  const Configurations::Step& step = configurations_.step(*chosen);
  plan(u, {step.move, step.footprint, 0, step.alternatives});
}

// Any way to u will do: what objects hold is a part of the state.
Holders StateGraph::held_at(const StateNode* u, const Access& wanted) const {
  Holders held;
  for (; u->parent != nullptr; u = u->parent)
    for (const Access& a : footprints_.accesses(u->by.footprint))
      if (a.location == wanted.location) held.apply(a);
  return held;
}

// --- what sleeps

// l.9
void StateGraph::passed(const StateNode* u, Move move, std::vector<AsleepMove>& out) const {
  out.clear();
  const auto is_it = [&](const Branch& b) { return b.event.move == move; };
  const auto branch = std::ranges::find_if(u->branches, is_it);
  HEDDLE_CHECK(branch != u->branches.end());
  for (const AsleepMove& m : u->asleep)
    if (sleeps_on(footprints_, m, branch->event)) out.push_back(m);
  for (auto left = u->branches.begin(); left != branch; ++left) {
    const AsleepMove m{left->event.move, left->event.footprint};
    if (may_sleep(*left) && sleeps_on(footprints_, m, branch->event) && !u->sleeps(m.move))
      out.push_back(m);
  }
}

// l.10, for what u's branch leads to, and so on.
void StateGraph::wake_after(StateNode* u, Move move) {
  to_wake_.push_back({u, move});
  wake_rest();
}

void StateGraph::wake_rest() {
  while (!to_wake_.empty()) {
    const Job edge = to_wake_.back();
    to_wake_.pop_back();
    const Branch& branch = *edge.node->find(*edge.move);
    if (branch.state != Branch::State::executed || branch.to->asleep.empty()) continue;
    passed(edge.node, *edge.move, scratch_);
    wake(branch.to, scratch_);
  }
}

void StateGraph::wake(StateNode* s, std::span<const AsleepMove> passed) {
  std::vector<AsleepMove> woken;
  s->asleep.remove_if([&](const AsleepMove& m) {
    const bool sleeps = std::ranges::find(passed, m.move, &AsleepMove::move) != passed.end();
    if (!sleeps) woken.push_back(m);
    return !sleeps;
  });
  if (woken.empty()) return;
  for (const AsleepMove& m : woken) wake_planned(s, m.move);
  end_among(s, woken);
  for (Branch& b : s->branches) {
    if (b.state == Branch::State::executed) to_wake_.push_back({s, b.event.move});
    if (b.state != Branch::State::forgotten) continue;
    b.state = Branch::State::planned;
    add_job({s, b.event.move});
  }
}

// What was run before still has it asleep. Put last, it would sleep because of that, or else all
// that follows would have to wake.
void StateGraph::wake_planned(StateNode* s, Move move) {
  auto* const it =
      std::ranges::find(s->branches, move, [](const Branch& b) { return b.event.move; });
  if (it == s->branches.end()) return;
  std::rotate(s->branches.begin(), it, it + 1);
  if (s->branches.front().state == Branch::State::planned) add_job({s, move});
}

void StateGraph::end_among(StateNode* u, std::span<const AsleepMove> asleep) {
  if (std::ranges::any_of(u->branches, [&](const Branch& b) { return !u->sleeps(b.event.move); }))
    return;
  const auto awake =
      std::ranges::find_if(asleep, [&](const AsleepMove& m) { return !u->sleeps(m.move); });
  if (awake != asleep.end()) plan(u, {awake->move, awake->footprint, 0, 1});
}

}  // namespace heddle
