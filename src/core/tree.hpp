// The tree of branches: what has been run and what is planned.
//
// A node is a move made after those on the path to it. A leaf is a path that has to be run, named
// by its last node: planned, then claimed, then finished.
//
// Invariants:
//   (1) Branches of a node are in the order in which they were added, and only ever appended. So
//   what
//       lies left of a node is fixed when it is made, and a reversal may be inserted whenever it
//       turns up, whatever has been run by then.
//   (2) Nothing is ever inserted below a leaf but by its own run, and by reversals of races after
//   it. (3) node.planned is the number of {the node itself, its children} that have a planned leaf
//   at or
//       below them; zero if and only if there is none. node.unfinished: likewise for leaves that
//       are not finished, and for nodes that are held. A claimed leaf is unfinished, so
//       planned != 0 implies unfinished != 0.
//   (4) Below a node that has nothing unfinished, and has nothing unfinished left of it on the
//   whole
//       way up, nothing is needed any more but its own move (to know what sleeps right of it). Such
//       subtrees are freed, by leftmost() only. If the leftmost leaf is always claimed first,
//       little more than one path is ever kept.
//   (5) No two nodes ever have the same serial, though they may have the same address: a Node* that
//       is kept over a call of leftmost() has to be compared by serial before it is used, unless
//       the node is unfinished.
//
// One thread at a time uses a tree.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "model/event.hpp"
#include "model/schedule.hpp"

namespace heddle {

struct Node {
  Event head;  // the move that leads here, with the accesses it has here
  Node* parent = nullptr;
  Node* first_child = nullptr;
  Node* last_child = nullptr;
  Node* next = nullptr;        // sibling to the right
  Node* first_open = nullptr;  // all children left of it are finished and emptied
  std::uint64_t serial = 0;    // no two nodes ever have the same
  std::uint32_t depth = 0;
  std::uint32_t planned = 0;  // invariant (3)
  std::uint32_t unfinished = 0;
  std::uint32_t attached_at = nowhere;  // of a leaf: the depth at which its path leaves older ones
  std::uint64_t runs = 0;               // leaves that were below it and have been freed
  // It was inserted, and not run yet: its event may find another value than the one it has, and so
  // be another site's.
  bool vague = false;

  // It was inserted as a leaf, and may have been run since: its subtree is explored, or will be.
  bool is_insertion_end() const { return attached_at != nowhere; }

  static constexpr std::uint32_t nowhere = ~std::uint32_t{0};
};

// It is itself a planned leaf, rather than to have one below it.
inline bool is_planned_leaf(const Node* node) {
  return node->is_insertion_end() && node->planned != 0 && node->first_child == nullptr;
}

// A node as a checkpoint has it: in the order of a walk that visits nodes before their children,
// and those from left to right. What its move does is not kept; the program can be asked.
struct SavedNode {
  std::uint32_t depth = 0;
  Move move;
  std::uint32_t attached_at = Node::nowhere;
  bool planned = false;  // a leaf that is still to be run
  std::uint64_t runs = 0;

  friend bool operator==(const SavedNode&, const SavedNode&) = default;
};
using SavedTree = std::vector<SavedNode>;

// A reversal that was deferred: the moves to the first event of its race, which is in the tree, and
// those to come in the place of that one.
struct SavedReversal {
  Schedule path, v;

  friend bool operator==(const SavedReversal&, const SavedReversal&) = default;
};

// All that is left to do.
struct SavedFrontier {
  SavedTree tree;
  std::vector<SavedReversal> deferred;

  bool empty() const { return tree.empty(); }
  friend bool operator==(const SavedFrontier&, const SavedFrontier&) = default;
};

// How large the tree will be, as far as can be told from what is known of it.
struct Outlook {
  double runs = 0;       // in all
  double deviation = 0;  // of that
};

class Tree {
 public:
  Tree();

  // The whole of it, with moves only. REQUIRES: no leaf is claimed; they would be lost.
  SavedTree save() const;
  // The same again. Throws Misuse if it is not the tree of an exploration.
  void restore(const SavedTree& saved);
  // The nodes without children, and those that are planned.
  std::vector<Node*> ends() const;
  std::vector<Node*> planned() const;

  // Branches that have not been run count as much as those beside them that have: Knuth's estimate,
  // exact for what is finished. (Branches that no run has called for yet are missing: it tends to
  // be low at first.)
  Outlook outlook() const;

  Node* root() { return root_; }

  // A new rightmost branch, for a step that has just been run.
  Node* extend(Node* at, const Event& head);
  // New nodes for a whole sequence, the last of them a planned leaf.
  Node* insert(Node* at, std::span<const Event> sequence);

  // The leftmost planned leaf, or null if there is none. Frees what is no longer needed.
  Node* leftmost();

  // The leaf is handed out to be run: it is not to be picked again, and stays unfinished.
  // REQUIRES: it is planned.
  void claim(Node* leaf);
  // It is not run after all. REQUIRES: it is claimed.
  void unclaim(Node* leaf);
  // A reversal will be inserted right of this node later: all nodes that takes are kept until
  // finish(). May be called several times.
  void hold(Node* node);
  // A claimed leaf has been run and its reversals are inserted; or what was held for is.
  // REQUIRES: one call for each claim() and each hold().
  void finish(Node* node);

  // The moves from the root's child down to this node; and the node that they lead to. Throws
  // Misuse if there is none.
  void path_to(const Node* node, Schedule& out) const;
  Node* at(const Schedule& path) const;

  std::size_t live_nodes() const { return live_; }

 private:
  Node* make(Node* parent, const Event& head);
  static void count(Node* node, std::uint32_t Node::* what);
  static void discount(Node* node, std::uint32_t Node::* what);
  void empty(Node* node);
  template <typename Visit>
  void walk(Visit visit) const;

  std::deque<Node> storage_;
  Node* free_ = nullptr;  // chained by `next`
  std::uint64_t serial_ = 0;
  std::size_t live_ = 0;
  Node* root_;  // last: making it uses all the others
};

}  // namespace heddle
