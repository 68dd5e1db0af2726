#include "core/reduction/state_graph.hpp"

#include <algorithm>

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
  StateNode* const node = nodes_.add();
  node->last_merge = merges_;
  ++states_;
  return node;
}

const StateNode* StateGraph::find(const Digest& digest) const {
  const auto found =
      by_digest_.find(digest.first, [&](NodeNumber k) { return nodes_[k].digest == digest; });
  return found == IndexTable::none ? nullptr : &nodes_[found];
}

void StateGraph::resume_at(StateNode* node) {
  ++node->busy;
  note_open(node);
  add_job({node, {}});
}

void StateGraph::finish(const Job& job) {
  --job.node->busy;
  note_open(job.node);
}

bool StateGraph::is_open(const StateNode* node) const {
  return node->busy != 0 || std::ranges::any_of(nodes_.branches(node), [&](const Branch& b) {
           return b.to == Branch::claimed ||
                  (b.to == Branch::planned && !nodes_.sleeps(node, events_.move(b.event)));
         });
}

void StateGraph::note_open(StateNode* node) { set_open(node, is_open(node)); }

void StateGraph::set_open(StateNode* node, bool open) {
  if (open == static_cast<bool>(node->open)) return;
  node->open = open;
  open_ += open ? 1 : -1;
}

void StateGraph::path_to(const StateNode* node, std::vector<Event>& out) const {
  out.resize(node->depth);
  for (; node->depth != 0; node = nodes_.parent(node))
    out[node->depth - 1] = events_[nodes_.incoming(node).front().event];
}

StateGraph::Reached StateGraph::extend(StateNode* u, const Event& event, const Digest& digest,
                                       StretchId stretch) {
  // It can be that a run was claimed from u on, and then this move, too.
  if (const Branch* done = nodes_.find(u, event.move); done != nullptr && done->executed())
    return {&nodes_[done->to], false};
  const EventNumber number = execute(u, event, stretch);
  auto* s = const_cast<StateNode*>(find(digest));
  const bool listed = s == nullptr && !full_;
  if (s != nullptr && !nodes_.raise_level(u, s)) s = nullptr;
  if (s == nullptr) {
    s = add_after(u, number, digest);
    s->listed = listed;  // not if it would close a cycle
    if (listed) by_digest_.add(digest.first, s->number);
    link(u, number, s);
    return {s, true};
  }
  link(u, number, s);
  s->last_merge = ++merges_;
  if (!s->asleep.empty()) wake_after(u, event.move);
  // (It may become longer meanwhile.)
  for (std::size_t k = 0; k < s->summary.size(); ++k)
    carry(u, events_.step(number), nodes_.summary(s)[k]);
  return {s, false};
}

StateNode* StateGraph::add_after(const StateNode* u, EventNumber event, const Digest& digest) {
  StateNode* const s = add();
  s->depth = u->depth + 1;
  s->level = u->level + 1;
  s->digest = digest;
  passed(u, events_.move(event), scratch_);
  nodes_.lists.assign<AsleepMove>(s->asleep, scratch_);
  return s;
}

void StateGraph::link(StateNode* u, EventNumber event, StateNode* s) {
  nodes_.find(u, events_.move(event))->to = s->number;
  ++edges_;
  if (u->open) note_open(u);
  nodes_.lists.push_back(s->incoming, {u->number, event});
  carry_plain(u, event, s);
  const StepNumber step = events_.step(event);
  if (configurations_.can_race(step) && !footprints_.times_out(events_[event].footprint))
    learn(u, configurations_.alone(step));
}

// Its branch is planned, if it was not, and becomes what the event turned out to be.
EventNumber StateGraph::execute(StateNode* u, const Event& event, StretchId stretch) {
  if (event.alternatives > 1) plan(u, event);
  const EventNumber number = number_of(u, event, stretch);
  if (Branch* branch = nodes_.find(u, event.move); branch != nullptr)
    *branch = {number, Branch::claimed};
  else
    nodes_.lists.push_back(u->branches, {number, Branch::claimed});
  return number;
}

EventNumber StateGraph::number_of(const StateNode* u, const Event& event, StretchId stretch) {
  const std::uint32_t most = configurations_.indices_of(event.move.thread);
  std::uint32_t index = 0;
  for (const StateNode* node = u; index < most && node->depth != 0; node = nodes_.parent(node))
    if (events_.move(nodes_.incoming(node).front().event).thread == event.move.thread) ++index;
  return events_.number_of(event, index, stretch);
}

// --- what is planned

// A data choice is planned with all its alternatives.
void StateGraph::plan(StateNode* u, const Event& event, ThreadBits toward) {
  Event one = event;
  for (std::uint16_t k = 0; k < event.alternatives; ++k) {
    if (event.alternatives > 1) one.move.alternative = k;
    if (nodes_.find(u, one.move) != nullptr) continue;
    nodes_.lists.push_back(u->branches, {number_of(u, one)});
    if (nodes_.sleeps(u, one.move)) continue;  // it is not run, until it wakes
    add_job({u, one.move, toward});
    set_open(u, true);
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
  return nodes_.find(job.node, *job.move)->to == Branch::planned &&
         !nodes_.sleeps(job.node, *job.move);
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
      nodes_.find(job.node, *job.move)->to = Branch::claimed;
      ++job.node->busy;
    }
    return job;
  }
  return std::nullopt;
}

// --- summaries

void StateGraph::learn_waiting(StateNode* u, const Pending& pending) {
  const StepNumber step =
      events_.step(number_of(u, {{pending.thread, 0}, pending.footprint, 0, 1}));
  if (configurations_.can_race(step)) learn(u, configurations_.alone(step));
}

// l.5
void StateGraph::learn(StateNode* u, ConfigurationNumber c) {
  if (!nodes_.add_to_summary(u, c)) return;
  to_learn_.push_back({u, c});
}

void StateGraph::learn_all() {
  while (!to_learn_.empty()) {
    // All that the node has learned last: its edges are looked at once.
    StateNode* const u = to_learn_.back().node;
    learned_.clear();
    for (; !to_learn_.empty() && to_learn_.back().node == u; to_learn_.pop_back())
      learned_.push_back(to_learn_.back().configuration);
    for (std::size_t k = 0; k < u->incoming.size(); ++k) {
      const auto [from, event] = nodes_.incoming(u)[k];
      for (const ConfigurationNumber c : learned_) carry(&nodes_[from], events_.step(event), c);
    }
  }
  carry_growth();
  while (!plain_grew_.empty()) {
    StateNode* const u = plain_grew_.back();
    plain_grew_.pop_back();
    u->plain_grew = false;
    carry_plain(u);
  }
  std::erase_if(tracing_, [&](Tracing& t) { return trace(t); });
}

void StateGraph::carry(StateNode* u, StepNumber e, ConfigurationNumber c) {
  using Race = Carried::Race;
  const auto carried = configurations_.carry(e, c);
  if (carried.race != Race::no) reverse(u, c, carried.race == Race::if_enabled);
  for (std::uint8_t k = 0; k < carried.count; ++k) learn(u, carried.to[k]);
}

// l.7
void StateGraph::reverse(StateNode* u, ConfigurationNumber c, bool if_enabled) {
  const auto firsts = configurations_.firsts(c);
  const auto move = [&](StepNumber first) { return configurations_.step(first).move; };
  const auto is_planned = [&](StepNumber f) { return nodes_.find(u, move(f)) != nullptr; };
  if (std::ranges::any_of(firsts, is_planned)) return;
  if (if_enabled) {
    const Access& wanted = configurations_.wanted(c);
    if (!configurations_.enabled(c, held_at(u, wanted))) return;
  }
  auto chosen =
      std::ranges::find_if(firsts, [&](StepNumber f) { return nodes_.sleeps(u, move(f)); });
  if (chosen == firsts.end())
    chosen =
        firsts.begin() + (random_ == nullptr ? 0 : std::ptrdiff_t(random_->below(firsts.size())));
  const Configurations::Step& step = configurations_.step(*chosen);
  plan(u, {step.move, step.footprint, 0, step.alternatives}, configurations_.threads(c));
}

// Any way to u will do: what objects hold is a part of the state.
Holders StateGraph::held_at(const StateNode* u, const Access& wanted) const {
  Holders held;
  for (; u->depth != 0; u = nodes_.parent(u)) {
    const Event& event = events_[nodes_.incoming(u).front().event];
    for (const Access& a : footprints_.accesses(event.footprint))
      if (a.location == wanted.location) held.apply(a);
  }
  return held;
}

// --- what sleeps

// l.9
void StateGraph::passed(const StateNode* u, Move move, std::vector<AsleepMove>& out) const {
  out.clear();
  const Branch* const branch = nodes_.find(u, move);
  HEDDLE_CHECK(branch != nullptr);
  const Event& event = events_[branch->event];
  for (const AsleepMove& m : nodes_.asleep(u))
    if (sleeps_on(footprints_, m, event)) out.push_back(m);
  for (const Branch& left : nodes_.branches(u)) {
    if (&left == branch) break;
    const Event& other = events_[left.event];
    const AsleepMove m{other.move, other.footprint};
    if (may_sleep(other) && sleeps_on(footprints_, m, event) && !nodes_.sleeps(u, m.move))
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
    const Branch& branch = *nodes_.find(edge.node, *edge.move);
    if (!branch.executed() || nodes_[branch.to].asleep.empty()) continue;
    passed(edge.node, *edge.move, scratch_);
    wake(&nodes_[branch.to], scratch_);
  }
}

void StateGraph::wake(StateNode* s, std::span<const AsleepMove> passed) {
  woken_.clear();
  const auto asleep = nodes_.lists.of(s->asleep);
  const auto rest = std::ranges::remove_if(asleep, [&](const AsleepMove& m) {
    const bool sleeps = std::ranges::find(passed, m.move, &AsleepMove::move) != passed.end();
    if (!sleeps) woken_.push_back(m);
    return !sleeps;
  });
  if (woken_.empty()) return;
  nodes_.lists.shorten(s->asleep, asleep.size() - rest.size());
  for (const AsleepMove& m : woken_) wake_planned(s, m.move);
  end_among(s, woken_);
  for (Branch& b : nodes_.branches(s)) {
    const Move move = events_.move(b.event);
    if (b.executed()) to_wake_.push_back({s, move});
    if (b.to != Branch::forgotten) continue;
    b.to = Branch::planned;
    add_job({s, move});
  }
  if (!s->open) note_open(s);
}

// What was run before still has it asleep. Put last, it would sleep because of that, or else all
// that follows would have to wake.
void StateGraph::wake_planned(StateNode* s, Move move) {
  Branch* const it = nodes_.find(s, move);
  if (it == nullptr) return;
  const auto branches = nodes_.branches(s);
  std::rotate(branches.data(), it, it + 1);
  if (branches.front().to == Branch::planned) add_job({s, move});
}

void StateGraph::end_among(StateNode* u, std::span<const AsleepMove> asleep) {
  const auto is_awake = [&](Move move) { return !nodes_.sleeps(u, move); };
  if (std::ranges::any_of(nodes_.branches(u), is_awake,
                          [&](const Branch& b) { return events_.move(b.event); }))
    return;
  const auto awake = std::ranges::find_if(asleep, is_awake, &AsleepMove::move);
  if (awake != asleep.end()) plan(u, {awake->move, awake->footprint, 0, 1});
}

}  // namespace heddle
