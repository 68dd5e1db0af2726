// The tree of branches: what has been run and what is planned.
//
// A node is a move made after those on the path to it. Branches of a node are ordered by when they
// were added, and only ever appended; so what lies left of a node is fixed when it is made, and a
// reversal may be inserted whenever it turns up, whatever has been run by then.
//
// Memory: below a node that is finished, as is everything left of it on the whole way up, nothing
// is needed any more; only its own move is (to know what sleeps right of it). Such subtrees are
// given back. If the leftmost work is done first, little more than one path is ever kept.
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
  // Whether there are leaves at or below it that nobody has taken yet: the node itself and its
  // children with such count. The same for those, and what else is not finished at or below it.
  std::uint32_t planned = 0;
  std::uint32_t unfinished = 0;
  std::uint32_t attached_at = nowhere;  // of a leaf: the depth at which its path leaves older ones
  std::uint64_t runs = 0;               // leaves that were below it and have been given back
  // It was planned, and not run yet: its event may find another value than it has, and be of
  // another site for that.
  bool vague = false;

  // Was inserted as a leaf: its subtree is explored, or will be.
  bool is_insertion_end() const { return attached_at != nowhere; }

  static constexpr std::uint32_t nowhere = ~std::uint32_t{0};
};

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

  // The whole of it; nothing is under way. And the same again, its heads having moves only; throws
  // Misuse if it is not the tree of an exploration.
  SavedTree save() const;
  void restore(const SavedTree& saved);
  // The nodes without children, and those that are planned.
  std::vector<Node*> ends() const;
  std::vector<Node*> planned() const;

  // Branches that have not been run count as much as those beside them that have: Knuth's estimate,
  // exact for what is finished. (Branches that nobody has thought of yet are missing: it tends to
  // be low at first.)
  Outlook outlook() const;

  Node* root() { return root_; }

  // A new rightmost branch, for a step that has just been run.
  Node* extend(Node* at, const Event& head);
  // New nodes for a whole sequence, the last of them a planned leaf.
  Node* insert(Node* at, std::span<const Event> sequence);

  // The leftmost planned leaf, or null if there is none; gives back what is no longer needed.
  Node* leftmost();

  // The leaf is being run: it is not to be picked again, and stays a leaf for all insertions. Or it
  // is not, after all.
  void take(Node* leaf);
  void put_back(Node* leaf);
  // Something will still be inserted right of this node: nothing that takes is given back.
  void hold(Node* node);
  // A leaf that was taken has been run and its reversals are in; or what was held for is.
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
