#include "core/reduction/state_node.hpp"

namespace heddle {

// If u can be reached from s, each node on the way is raised, and in the end u would be.
bool raise_level(StateNode* u, StateNode* s) {
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
    for (const Branch& b : node->branches)
      if (b.state == Branch::State::executed) raise(b.to, node->level);
  }
  if (u->level == level && u != s) return true;
  for (auto r = raised.rbegin(); r != raised.rend(); ++r) r->node->level = r->from;
  return false;
}

}  // namespace heddle
