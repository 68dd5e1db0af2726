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
  for (StateNode& node : nodes_)
    if (!node.forgotten) by_level.push_back(&node);
  std::ranges::sort(by_level, std::greater(), &StateNode::level);
  for (StateNode* node : by_level) node->closed = !is_open(node);
}

bool StateGraph::can_be_forgotten(const StateNode* node) {
  return !node->forgotten && node->closed && node->parent != nullptr &&
         std::ranges::none_of(node->branches,
                              [](const Branch& b) { return b.state == Branch::State::executed; });
}

void StateGraph::keep_at_most(std::size_t most) {
  full_ = full_ && nodes_.size() - unused_.size() >= most;
  if (nodes_.size() - unused_.size() < std::max(most, next_sweep_)) return;
  for (auto& jobs : jobs_) std::erase_if(jobs, [&](const Job& job) { return !is_due(job); });
  find_closed();
  const auto later = [](const StateNode* x, const StateNode* y) {
    return x->last_merge > y->last_merge;
  };
  std::priority_queue<StateNode*, std::vector<StateNode*>, decltype(later)> next(later);
  for (StateNode& node : nodes_)
    if (can_be_forgotten(&node)) next.push(&node);
  // Half of them, so that it does not have to be done again soon.
  while (nodes_.size() - unused_.size() > most / 2 && !next.empty()) {
    StateNode* node = next.top();
    next.pop();
    if (!node->forgotten) forget(node);
    for (const StateNode::Incoming& in : node->incoming)
      if (can_be_forgotten(in.from)) next.push(in.from);
    node->incoming.clear();
  }
  by_digest_.clear();
  for (const StateNode& node : nodes_)
    if (!node.forgotten && node.listed) by_digest_.add(node.digest.first, node.number);
  const std::size_t left = nodes_.size() - unused_.size();
  full_ = left >= most;
  next_sweep_ = left + left / 8;  // to look at all of them is in proportion to those that came
}

void StateGraph::forget(StateNode* node) {
  for (const StateNode::Incoming& in : node->incoming)
    for (Branch& b : in.from->branches)
      if (b.state == Branch::State::executed && b.to == node) {
        b.state = Branch::State::forgotten;
        b.to = nullptr;
      }
  node->branches.clear();
  node->asleep.clear();
  node->summary.clear();
  node->forgotten = true;
  unused_.push_back(node);
}

}  // namespace heddle
