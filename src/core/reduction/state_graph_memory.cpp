// Which states are forgotten when there are too many.
#include <algorithm>
#include <queue>

#include "core/reduction/state_graph.hpp"

namespace heddle {

bool StateGraph::is_closed(const StateNode* node) const {
  return !node->open && std::ranges::none_of(nodes_.branches(node), [&](const Branch& b) {
    return b.executed() && !nodes_[b.to].closed;
  });
}

void StateGraph::find_closed() {
  std::vector<NodeNumber> by_level;
  by_level.reserve(nodes_.size());
  nodes_.for_each([&](const StateNode& node) { by_level.push_back(node.number); });
  std::ranges::sort(by_level, std::greater(), [&](NodeNumber k) { return nodes_[k].level; });
  for (const NodeNumber k : by_level) nodes_[k].closed = is_closed(&nodes_[k]);
}

bool StateGraph::can_be_forgotten(const StateNode* node) const {
  return !node->forgotten && node->closed && node->depth != 0 &&
         std::ranges::none_of(nodes_.branches(node), &Branch::executed);
}

// (To find those that can be forgotten takes 8 bytes for each; configurations that are kept are
// there twice for a moment, and half of them may be.)
std::size_t StateGraph::memory() const {
  return nodes_.memory() + nodes_.size() * 8 + by_digest_.memory() +
         configurations_.memory() * 3 / 2;
}

bool StateGraph::is_beyond(const Room& room) const {
  return (room.nodes != 0 && nodes_.size() >= room.nodes) ||
         (room.bytes != 0 && memory() >= room.bytes);
}

void StateGraph::keep_within(const Room& room) {
  const bool beyond = is_beyond(room);
  full_ = full_ && beyond;
  if (!beyond || nodes_.size() < next_sweep_) return;
  // What is forgotten cannot be carried again.
  plain_.let_all_matter();
  learn_all();
  for (auto& jobs : jobs_) std::erase_if(jobs, [&](const Job& job) { return !is_due(job); });
  find_closed();
  const auto later = [&](NodeNumber x, NodeNumber y) {
    return nodes_[x].last_merge > nodes_[y].last_merge;
  };
  std::priority_queue<NodeNumber, std::vector<NodeNumber>, decltype(later)> next(later);
  nodes_.for_each([&](const StateNode& node) {
    if (can_be_forgotten(&node)) next.push(node.number);
  });
  by_digest_.clear();
  // Half of them, so that it does not have to be done again soon.
  const Room half = {room.nodes == 0 ? 0 : room.nodes / 2 + 1, room.bytes / 2};
  while (is_beyond(half) && !next.empty()) {
    StateNode* node = &nodes_[next.top()];
    next.pop();
    if (node->forgotten) continue;
    from_.clear();
    for (const Incoming& in : nodes_.incoming(node)) from_.push_back(in.from);
    forget(node);
    for (const NodeNumber from : from_)
      if (can_be_forgotten(&nodes_[from])) next.push(from);
  }
  nodes_.for_each([&](const StateNode& node) {
    if (node.listed) by_digest_.add(node.digest.first, node.number);
  });
  forget_configurations();
  full_ = is_beyond(room);
  next_sweep_ = nodes_.size() + nodes_.size() / 8;  // in proportion to those that came
}

// Those of no summary any more.
void StateGraph::forget_configurations() {
  std::vector<ConfigurationNumber> numbers(configurations_.size(), Configurations::unmarked);
  nodes_.for_each([&](const StateNode& node) {
    for (const ConfigurationNumber c : nodes_.summary(&node)) numbers[c] = Configurations::marked;
  });
  configurations_.keep(numbers);
  nodes_.for_each([&](const StateNode& node) {
    for (ConfigurationNumber& c : nodes_.summary(&node)) c = numbers[c];
  });
}

void StateGraph::forget(StateNode* node) {
  for (const Incoming& in : nodes_.incoming(node))
    for (Branch& b : nodes_.branches(&nodes_[in.from]))
      if (b.to == node->number) b.to = Branch::forgotten;
  nodes_.remove(node);
}

}  // namespace heddle
