// The tree of branches: order, planned leaves, and what it keeps.
#include "core/tree.hpp"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "base/check.hpp"
#include "core/path.hpp"

namespace heddle {
namespace {

Event step(ThreadId thread) {
  Event e;
  e.move.thread = thread;
  return e;
}
std::vector<Event> steps(const std::vector<ThreadId>& threads) {
  std::vector<Event> out;
  for (const ThreadId t : threads) out.push_back(step(t));
  return out;
}
std::vector<ThreadId> branches(const Node* node) {
  std::vector<ThreadId> out;
  for (const Node* n = node->first_child; n != nullptr; n = n->next)
    out.push_back(n->head.move.thread);
  return out;
}
std::vector<ThreadId> threads(const Path& path) {
  std::vector<ThreadId> out;
  for (const Node* n : path.nodes()) out.push_back(n->head.move.thread);
  return out;
}
std::vector<ThreadId> path(Node* node) {
  Path path;
  path.lead_to(node);
  return threads(path);
}
using Threads = std::vector<ThreadId>;

void finish(Tree& tree, Node* leaf) {
  tree.claim(leaf);
  tree.finish(leaf);
}

// How many nodes it keeps besides its root.
class Counted : public Tree {
 public:
  std::size_t kept() const { return live_nodes() - at_first_; }

 private:
  std::size_t at_first_ = live_nodes();
};

TEST(Tree, BeginsWithItsRoot) {
  Tree tree;
  EXPECT_EQ(tree.live_nodes(), 1U);
  EXPECT_EQ(tree.leftmost(), tree.root());
}

TEST(Tree, BeginsWithItsRootPlanned) {
  Tree tree;
  EXPECT_EQ(tree.leftmost(), tree.root());
  EXPECT_TRUE(tree.root()->is_insertion_end());
  EXPECT_EQ(path(tree.root()), Threads{});
  finish(tree, tree.root());
  EXPECT_EQ(tree.leftmost(), nullptr);
}

TEST(Tree, BranchesAreInTheOrderTheyWereAdded) {
  Tree tree;
  tree.extend(tree.root(), step(2));
  tree.insert(tree.root(), steps({0, 5}));
  tree.insert(tree.root(), steps({1}));
  EXPECT_EQ(branches(tree.root()), (Threads{2, 0, 1}));
  EXPECT_EQ(branches(tree.root()->first_child->next), (Threads{5}));
  EXPECT_EQ(tree.root()->last_child->head.move.thread, 1);
}

TEST(Tree, PathsLeadFromTheRoot) {
  Tree tree;
  Node* a = tree.extend(tree.root(), step(3));
  Node* leaf = tree.insert(a, steps({1, 4}));
  EXPECT_EQ(path(leaf), (Threads{3, 1, 4}));
  EXPECT_EQ(path(leaf->parent), (Threads{3, 1}));
  EXPECT_EQ(leaf->depth, 3U);
  Schedule schedule(9);
  tree.path_to(leaf, schedule);
  EXPECT_EQ(schedule, (Schedule{{3, 0}, {1, 0}, {4, 0}}));
}

TEST(Path, TellsHowMuchOfItIsAsItWas) {
  Tree tree;
  Node* a = tree.extend(tree.root(), step(3));
  Node* left = tree.insert(a, steps({1, 4}));
  Node* right = tree.insert(a, steps({2, 4, 5}));
  Path path;
  EXPECT_EQ(path.lead_to(left), 0U);
  EXPECT_EQ(path.lead_to(left), 3U);
  EXPECT_EQ(path.lead_to(right), 1U);
  EXPECT_EQ(threads(path), (Threads{3, 2, 4, 5}));
  path.extend(tree.extend(right, step(6)));
  EXPECT_EQ(path.lead_to(right->parent), 3U);
  EXPECT_EQ(threads(path), (Threads{3, 2, 4}));
  EXPECT_EQ(path.lead_to(left), 1U);
  EXPECT_EQ(path.lead_to(tree.root()), 0U);
  EXPECT_EQ(path.size(), 0U);
}

TEST(Path, IsNotMistakenForOneInTheSameMemory) {
  Tree tree;
  Node* a = tree.extend(tree.root(), step(0));
  Node* first = tree.insert(a, steps({1}));
  Node* second = tree.insert(tree.root(), steps({2}));
  finish(tree, tree.root());
  Path path;
  path.lead_to(first);
  finish(tree, first);
  ASSERT_EQ(tree.leftmost(), second);  // frees what is below a
  Node* again = tree.extend(second, step(3));
  ASSERT_EQ(again, first);
  EXPECT_EQ(path.lead_to(again), 0U);
  EXPECT_EQ(threads(path), (Threads{2, 3}));
}

TEST(Tree, OnlyTheLastOfASequenceIsALeaf) {
  Tree tree;
  Node* a = tree.extend(tree.root(), step(0));
  Node* leaf = tree.insert(a, steps({1, 2}));
  EXPECT_FALSE(a->is_insertion_end());
  EXPECT_FALSE(leaf->parent->is_insertion_end());
  EXPECT_TRUE(leaf->is_insertion_end());
  EXPECT_EQ(leaf->attached_at, 1U);
}

TEST(Tree, CountsWhatIsUnfinishedOnTheWholeWayUp) {
  Tree tree;
  Node* a = tree.extend(tree.root(), step(0));
  Node* b = tree.insert(a, steps({1, 2}));
  Node* c = tree.insert(a, steps({3}));
  EXPECT_EQ(tree.root()->unfinished, 2U);  // itself, and all below a
  EXPECT_EQ(a->unfinished, 2U);
  EXPECT_EQ(b->parent->unfinished, 1U);
  EXPECT_EQ(c->unfinished, 1U);
  finish(tree, b);
  EXPECT_EQ(tree.root()->unfinished, 2U);
  EXPECT_EQ(a->unfinished, 1U);
  EXPECT_EQ(b->parent->unfinished, 0U);
  EXPECT_EQ(c->unfinished, 1U);
  finish(tree, c);
  EXPECT_EQ(tree.root()->unfinished, 1U);
  EXPECT_EQ(a->unfinished, 0U);
}

TEST(Tree, LeftmostIsOfBranchesBeforeDepth) {
  Tree tree;
  Node* a = tree.extend(tree.root(), step(0));
  Node* right = tree.insert(tree.root(), steps({1}));
  Node* deep = tree.insert(a, steps({2, 3, 4}));
  finish(tree, tree.root());
  EXPECT_EQ(tree.leftmost(), deep);
  finish(tree, deep);
  EXPECT_EQ(tree.leftmost(), right);
  // New work left of what was leftmost: it is planned first again.
  Node* below = tree.extend(right, step(5));
  Node* late = tree.insert(below, steps({6}));
  finish(tree, right);
  EXPECT_EQ(tree.leftmost(), late);
  finish(tree, late);
  EXPECT_EQ(tree.leftmost(), nullptr);
}

TEST(Tree, GivesBackWhatIsFinishedWithAllLeftOfIt) {
  Counted tree;
  Node* a = tree.extend(tree.root(), step(0));
  Node* b = tree.extend(a, step(1));
  tree.extend(b, step(2));
  Node* right = tree.insert(tree.root(), steps({3, 4}));
  EXPECT_EQ(tree.kept(), 5U);
  finish(tree, tree.root());
  EXPECT_EQ(tree.kept(), 5U);
  EXPECT_EQ(tree.leftmost(), right);
  EXPECT_EQ(tree.kept(), 3U);  // a stays: it sleeps right of it
  EXPECT_EQ(branches(tree.root()), (Threads{0, 3}));
  EXPECT_EQ(branches(a), Threads{});
}

TEST(Tree, KeepsFinishedWorkRightOfUnfinished) {
  Counted tree;
  Node* left = tree.insert(tree.root(), steps({0}));
  Node* right = tree.insert(tree.root(), steps({1}));
  Node* below = tree.extend(right, step(2));
  tree.extend(below, step(3));
  finish(tree, tree.root());
  finish(tree, right);
  EXPECT_EQ(tree.leftmost(), left);
  EXPECT_EQ(tree.kept(), 4U);
  EXPECT_EQ(branches(below), (Threads{3}));  // a reversal may still walk through it
  Node* again = tree.insert(below, steps({4}));
  finish(tree, left);
  EXPECT_EQ(tree.leftmost(), again);
  finish(tree, again);
  EXPECT_EQ(tree.leftmost(), nullptr);
}

TEST(Tree, WhatIsTakenIsNotPickedAgainAndStaysUnfinished) {
  Counted tree;
  Node* first = tree.insert(tree.root(), steps({0, 1}));
  Node* second = tree.insert(tree.root(), steps({2, 3}));
  finish(tree, tree.root());
  tree.claim(first);
  EXPECT_EQ(tree.leftmost(), second);
  EXPECT_TRUE(first->is_insertion_end());
  tree.claim(second);
  EXPECT_EQ(tree.leftmost(), nullptr);
  EXPECT_EQ(tree.root()->unfinished, 2U);
  tree.finish(second);
  Node* third = tree.insert(second->parent, steps({4}));  // what is left of it is still needed
  EXPECT_EQ(tree.leftmost(), third);
  EXPECT_EQ(tree.kept(), 5U);
  tree.finish(first);
  EXPECT_EQ(tree.leftmost(), third);
  EXPECT_EQ(tree.kept(), 4U);
}

TEST(Tree, WhatIsHeldStaysWithAllRightOfIt) {
  Counted tree;
  Node* held = tree.extend(tree.extend(tree.root(), step(0)), step(1));
  Node* beside = tree.insert(held->parent, steps({2, 3}));
  Node* right = tree.insert(tree.root(), steps({4}));
  tree.hold(held);
  finish(tree, tree.root());
  finish(tree, beside);
  EXPECT_EQ(tree.leftmost(), right);
  EXPECT_EQ(tree.kept(), 5U);
  Node* late = tree.insert(beside->parent, steps({5}));
  tree.finish(held);
  EXPECT_EQ(tree.leftmost(), late);
  finish(tree, late);
  EXPECT_EQ(tree.leftmost(), right);
  EXPECT_EQ(tree.kept(), 2U);
}

TEST(Tree, WhatDoesNotComeInPairsIsRefused) {
  Tree tree;
  Node* inner = tree.extend(tree.root(), step(0));
  EXPECT_THROW(tree.claim(inner), Bug);   // is not a leaf
  EXPECT_THROW(tree.finish(inner), Bug);  // was not held
  Node* leaf = tree.insert(inner, steps({1}));
  EXPECT_THROW(tree.finish(leaf), Bug);  // is not claimed
  EXPECT_THROW(tree.unclaim(leaf), Bug);
  tree.claim(leaf);
  EXPECT_THROW(tree.claim(leaf), Bug);
  tree.unclaim(leaf);
  finish(tree, leaf);
  EXPECT_THROW(tree.finish(leaf), Bug);
  EXPECT_THROW(tree.insert(inner, {}), Bug);
  EXPECT_THROW(tree.hold(tree.root()), Bug);
}

TEST(Tree, UsesNodesAgainUnderAnotherSerial) {
  Counted tree;
  std::set<std::uint64_t> serials;
  std::set<const Node*> nodes;
  Node* leaf = tree.root();
  for (int round = 0; round < 1000; ++round) {
    Node* at = leaf;
    for (ThreadId t = 0; t < 10; ++t) {
      at = tree.extend(at, step(t));
      EXPECT_TRUE(serials.insert(at->serial).second);
      EXPECT_EQ(at->first_child, nullptr);
      EXPECT_EQ(at->next, nullptr);
      EXPECT_FALSE(at->is_insertion_end());
      nodes.insert(at);
    }
    Node* next = tree.insert(tree.root(), steps({1}));
    finish(tree, leaf);
    leaf = next;
    ASSERT_EQ(tree.leftmost(), leaf);
  }
  EXPECT_EQ(tree.kept(), 1001U);  // the branches of the root
  EXPECT_LT(nodes.size(), 1100U);
}

TEST(Tree, GivesBackDeepTreesWithoutAStack) {
  Counted tree;
  Node* at = tree.root();
  for (int k = 0; k < 1'000'000; ++k) at = tree.extend(at, step(0));
  Node* right = tree.insert(tree.root(), steps({1}));
  finish(tree, tree.root());
  EXPECT_EQ(tree.leftmost(), right);
  EXPECT_EQ(tree.kept(), 2U);
}

}  // namespace
}  // namespace heddle
