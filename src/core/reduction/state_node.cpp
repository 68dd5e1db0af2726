#include "core/reduction/state_node.hpp"

namespace heddle {

StateNode* StateNodes::add() {
  if (unused_.empty() && used_ == chunks_.size() * chunk_size) {
    HEDDLE_CHECK(used_ + chunk_size < Branch::forgotten);
    chunks_.push_back(std::make_unique<StateNode[]>(chunk_size));
  }
  const NodeNumber number = unused_.empty() ? used_++ : unused_.back();
  if (!unused_.empty()) unused_.pop_back();
  StateNode* const node = &(*this)[number];
  *node = {};
  node->number = number;
  return node;
}

void StateNodes::remove(StateNode* node) {
  lists.clear(node->branches);
  lists.clear(node->asleep);
  lists.clear(node->incoming);
  lists.clear(node->summary);
  node->forgotten = true;
  unused_.push_back(node->number);
}

// (Most have few. A few have very many.)
void StateNodes::sort_summary(StateNode* node) {
  const auto all = summary(node);
  const auto last = all.end() - unsorted;
  std::sort(last, all.end());
  std::inplace_merge(all.begin(), last, all.end());
}

// If u can be reached from s, each node on the way is raised, and in the end u would be.
bool StateNodes::raise_level(const StateNode* u, StateNode* s) {
  if (s->level > u->level) return true;
  struct Raised {
    StateNode* node;
    std::uint32_t from;
  };
  std::vector<Raised> raised;
  std::vector<StateNode*> to_visit;
  const auto raise = [&](StateNode* node, std::uint32_t above) {
    if (node->level > above) return;
    raised.push_back({node, node->level});
    node->level = above + 1;
    to_visit.push_back(node);
  };
  const std::uint32_t level = u->level;
  raise(s, level);
  while (!to_visit.empty() && u->level == level && u != s) {
    const StateNode* node = to_visit.back();
    to_visit.pop_back();
    for (const Branch& b : branches(node))
      if (b.executed()) raise(&(*this)[b.to], node->level);
  }
  if (u->level == level && u != s) return true;
  for (auto r = raised.rbegin(); r != raised.rend(); ++r) r->node->level = r->from;
  return false;
}

}  // namespace heddle
