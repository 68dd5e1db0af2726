// Which states are forgotten when there are too many.
#include <algorithm>
#include <queue>

#include "core/reduction/state_graph.hpp"

namespace heddle {

bool StateGraph::is_open(const StateNode* node) const {
  return node->busy != 0 || std::ranges::any_of(node->branches, [&](const Branch& b) {
           switch (b.state) {
             case Branch::State::planned:
               return !node->sleeps(b.event.move);
             case Branch::State::claimed:
               return true;
             case Branch::State::executed:
               return !b.to->closed;
             case Branch::State::forgotten:
               break;
           }
           return false;
         });
}

void StateGraph::find_closed() {
  std::vector<StateNode*> by_level;
  for (const auto& node : nodes_) by_level.push_back(node.get());
  std::ranges::sort(by_level, std::greater(), &StateNode::level);
  for (StateNode* node : by_level) node->closed = !is_open(node);
}

bool StateGraph::can_be_forgotten(const StateNode* node) {
  return node->closed && node->parent != nullptr &&
         std::ranges::none_of(node->branches,
                              [](const Branch& b) { return b.state == Branch::State::executed; });
}

void StateGraph::keep_at_most(std::size_t most) {
  full_ = false;
  if (nodes_.size() < most) return;
  for (auto& jobs : jobs_) std::erase_if(jobs, [&](const Job& job) { return !is_due(job); });
  find_closed();
  const auto later = [](const StateNode* x, const StateNode* y) {
    return x->last_merge > y->last_merge;
  };
  std::priority_queue<StateNode*, std::vector<StateNode*>, decltype(later)> next(later);
  for (const auto& node : nodes_)
    if (can_be_forgotten(node.get())) next.push(node.get());
  // Half of them, so that it does not have to be done again soon.
  for (std::size_t left = nodes_.size(); left > most / 2 && !next.empty();) {
    StateNode* node = next.top();
    next.pop();
    if (node->forgotten) continue;
    node->forgotten = true;
    --left;
    if (node->listed) by_digest_.erase(node->digest);
    for (const StateNode::Incoming& in : node->incoming) {
      for (Branch& b : in.from->branches)
        if (b.state == Branch::State::executed && b.to == node) {
          b.state = Branch::State::forgotten;
          b.to = nullptr;
        }
      if (can_be_forgotten(in.from)) next.push(in.from);
    }
  }
  std::erase_if(nodes_, [](const auto& node) { return node->forgotten; });
  full_ = nodes_.size() >= most;
}

}  // namespace heddle
