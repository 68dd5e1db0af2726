// The states of a program, as merging keeps them: see state_graph.hpp. There can be many millions,
// so all that they refer to, they do by number.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/pool.hpp"
#include "core/reduction/event_table.hpp"
#include "core/reduction/plain.hpp"
#include "model/runner.hpp"

namespace heddle {

using NodeNumber = std::uint32_t;

// A move planned at a state; if it was executed, an edge.
struct Branch {
  // In place of a node.
  static constexpr NodeNumber planned = ~NodeNumber{0};
  static constexpr NodeNumber claimed = planned - 1;
  static constexpr NodeNumber forgotten = planned - 2;  // executed, and where it led is forgotten

  EventNumber
      event;  // as it was executed, or else as it is known to be, unless its footprint varies
  NodeNumber to = planned;

  bool executed() const { return to < forgotten; }
};

struct Incoming {
  NodeNumber from;
  EventNumber event;
};

struct StateNode {
  Digest digest;
  NodeNumber number = 0;  // its place among all nodes
  std::uint32_t depth = 0;
  std::uint32_t level = 0;
  std::uint32_t last_merge = 0;  // or when it was added
  std::uint32_t busy : 26 =
      0;  // runs claimed here, and not finished; and those to come of resume_at
  std::uint32_t open : 1 = false;    // something is to be run here, or in flight
  std::uint32_t listed : 1 = false;  // it is found by its digest
  // It is not open, and the same holds of all that follow. Known only while nodes are being
  // forgotten.
  std::uint32_t closed : 1 = false;
  std::uint32_t forgotten : 1 = false;
  std::uint32_t plain_grew : 1 = false;  // and was not carried yet
  Pool::List<Branch> branches;           // in the order of `planned`
  Pool::List<AsleepMove> asleep;
  // The first is a way to come here, from the beginning of the program, which alone has none.
  Pool::List<Incoming> incoming;
  Pool::List<ConfigurationNumber> summary;  // sorted, but for the last ones
  Plain::Set plain = Plain::none;
};

// All of them, and their lists.
class StateNodes {
 public:
  explicit StateNodes(const EventTable& events) : events_(events) {}

  // They stay where they are. One that is removed is used again for another.
  StateNode* add();
  void remove(StateNode* node);
  std::size_t size() const { return used_ - unused_.size(); }
  // In bytes, with their lists.
  std::size_t memory() const { return size() * sizeof(StateNode) + lists.memory(); }

  StateNode& operator[](NodeNumber number) {
    return chunks_[number / chunk_size][number % chunk_size];
  }
  const StateNode& operator[](NodeNumber number) const {
    return chunks_[number / chunk_size][number % chunk_size];
  }
  template <typename Visit>
  void for_each(Visit visit) {
    for (NodeNumber k = 0; k < used_; ++k)
      if (!(*this)[k].forgotten) visit((*this)[k]);
  }

  // Valid until a list is made longer, whosever it is.
  std::span<Branch> branches(const StateNode* node) { return lists.of(node->branches); }
  std::span<const Branch> branches(const StateNode* node) const { return lists.of(node->branches); }
  std::span<const AsleepMove> asleep(const StateNode* node) const { return lists.of(node->asleep); }
  std::span<const Incoming> incoming(const StateNode* node) const {
    return lists.of(node->incoming);
  }
  std::span<const ConfigurationNumber> summary(const StateNode* node) const {
    return lists.of(node->summary);
  }
  std::span<ConfigurationNumber> summary(const StateNode* node) { return lists.of(node->summary); }
  // False if it has it.
  bool add_to_summary(StateNode* node, ConfigurationNumber c) {
    const auto known = summary(node);
    const std::size_t sorted = known.size() - known.size() % unsorted;
    for (const ConfigurationNumber k : known.subspan(sorted))
      if (k == c) return false;
    if (sorted != 0 && std::ranges::binary_search(known.first(sorted), c)) return false;
    lists.push_back(node->summary, c);
    if (node->summary.size() % unsorted == 0) sort_summary(node);
    return true;
  }

  // Null if it is not planned.
  const Branch* find(const StateNode* node, Move move) const {
    for (const Branch& b : branches(node))
      if (events_.move(b.event) == move) return &b;
    return nullptr;
  }
  Branch* find(const StateNode* node, Move move) {
    return const_cast<Branch*>(std::as_const(*this).find(node, move));
  }
  bool sleeps(const StateNode* node, Move move) const {
    return std::ranges::find(asleep(node), move, &AsleepMove::move) != asleep(node).end();
  }
  // Where the node before it is on the way to come here. REQUIRES: it is not the beginning.
  StateNode* parent(const StateNode* node) { return &(*this)[incoming(node).front().from]; }
  const StateNode* parent(const StateNode* node) const {
    return &(*this)[incoming(node).front().from];
  }

  // Keeps levels rising along edges, now that there is to be one from u to s. False, and nothing is
  // changed, if it would close a cycle. Where all ways to a state have the same number of events,
  // it takes a comparison.
  bool raise_level(const StateNode* u, StateNode* s);

  Pool lists;

 private:
  static constexpr std::size_t chunk_size = 512;
  static constexpr std::size_t unsorted = 32;  // looked through as fast as searched

  void sort_summary(StateNode* node);

  const EventTable& events_;
  std::vector<std::unique_ptr<StateNode[]>> chunks_;
  NodeNumber used_ = 0;
  std::vector<NodeNumber> unused_;
};

}  // namespace heddle
