// Data races on the graph: what plain accesses can follow a state, and schedules of races.
#include <algorithm>

#include "base/check.hpp"
#include "core/reduction/state_graph.hpp"

namespace heddle {

void StateGraph::set_beginning(StretchId stretch) {
  beginning_ = stretch;
  carry_plain(&nodes_[0]);
}

void StateGraph::carry_plain(StateNode* s) {
  for (std::size_t k = 0; k < s->incoming.size(); ++k) {
    const auto [from, event] = nodes_.incoming(s)[k];
    carry_plain(&nodes_[from], event, s);
  }
  if (s->depth != 0) return;
  plain_.before(beginning_, s->plain);
  note_races(nullptr, {}, s);
}

void StateGraph::carry_plain(StateNode* u, EventNumber e, StateNode* s) {
  const StretchId stretch = events_.stretch(e);
  if (stretch == Stretches::empty && s->plain == Plain::none) return;
  const Plain::Set set = plain_.joined(u->plain, plain_.before(stretch, s->plain));
  note_races(u, events_.move(e), s);
  if (set == u->plain) return;
  u->plain = set;
  if (u->plain_grew) return;
  u->plain_grew = true;
  plain_grew_.push_back(u);
}

// More accesses matter than when the edges with them were made.
void StateGraph::carry_growth() {
  if (!plain_.take_growth()) return;
  nodes_.for_each([&](StateNode& u) {
    for (std::size_t k = 0; k < u.branches.size(); ++k) {
      const Branch b = nodes_.branches(&u)[k];
      if (b.executed() && plain_.grew(events_.stretch(b.event)))
        carry_plain(&u, b.event, &nodes_[b.to]);
    }
  });
}

// The races of accesses between u and s, or before the beginning, with what follows.
void StateGraph::note_races(const StateNode* u, std::optional<Move> move, StateNode* s) {
  for (const Plain::Race& found : plain_.take_races()) {
    if (wants_race && !wants_race(found.pair)) continue;
    FoundRace race{found.pair, {}};
    std::vector<Event> path;
    if (u != nullptr) path_to(u, path);
    for (const Event& e : path) race.schedule.push_back(e.move);
    if (move) race.schedule.push_back(*move);
    if (!found.second) {
      traced_.push_back(std::move(race));
    } else {
      ++s->busy;
      note_open(s);
      tracing_.push_back({std::move(race), s, *found.second});
    }
  }
}

bool StateGraph::trace(Tracing& tracing) {
  StateNode* const from = tracing.node;
  const bool done = advance(tracing);
  --from->busy;
  if (done)
    traced_.push_back(std::move(tracing.race));
  else
    ++tracing.node->busy;
  note_open(from);
  note_open(tracing.node);
  return done;
}

// Follows edges that lead to the access. Where they are forgotten, they are planned again. What was
// reached by them may have been explored further because of other edges that led there: so that it
// is again, nothing sleeps any more.
bool StateGraph::advance(Tracing& tracing) {
  for (;;) {
    StateNode* const u = tracing.node;
    Plain::Way way;
    for (const Branch& b : nodes_.branches(u)) {
      if (!b.executed()) continue;
      way = plain_.way(events_.stretch(b.event), nodes_[b.to].plain, tracing.entry);
      if (!way.in_stretch && !way.after) continue;
      tracing.race.schedule.push_back(events_.move(b.event));
      tracing.node = &nodes_[b.to];
      break;
    }
    if (way.in_stretch) return true;
    if (!way.after) break;
    tracing.entry = *way.after;
  }
  explore_again(tracing.node);
  return false;
}

void StateGraph::explore_again(StateNode* node) {
  const auto sleeping = nodes_.asleep(node);
  const std::vector<AsleepMove> asleep(sleeping.begin(), sleeping.end());
  wake(node, {});
  wake_rest();
  for (const AsleepMove& m : asleep) plan(node, {m.move, m.footprint, 0, 1});
  for (Branch& b : nodes_.branches(node)) {
    if (b.to != Branch::forgotten) continue;
    b.to = Branch::planned;
    add_job({node, events_.move(b.event)});
  }
}

}  // namespace heddle
