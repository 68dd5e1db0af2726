// The tree of branches: order, planned leaves, and what it keeps.
#include "core/tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/random.hpp"

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
std::vector<ThreadId> path(const Tree& tree, Node* node) {
  std::vector<Node*> nodes;
  tree.path_to(node, nodes);
  std::vector<ThreadId> out;
  for (const Node* n : nodes) out.push_back(n->head.move.thread);
  return out;
}
using Threads = std::vector<ThreadId>;

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
  EXPECT_TRUE(tree.root()->leaf);
  EXPECT_EQ(path(tree, tree.root()), Threads{});
  tree.finish(tree.root());
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
  EXPECT_EQ(path(tree, leaf), (Threads{3, 1, 4}));
  EXPECT_EQ(path(tree, leaf->parent), (Threads{3, 1}));
  EXPECT_EQ(leaf->depth, 3U);
  std::vector<Node*> longer(9);
  tree.path_to(a, longer);
  EXPECT_EQ(longer, std::vector<Node*>{a});
}

TEST(Tree, OnlyTheLastOfASequenceIsALeaf) {
  Tree tree;
  Node* a = tree.extend(tree.root(), step(0));
  Node* leaf = tree.insert(a, steps({1, 2}));
  EXPECT_FALSE(a->leaf);
  EXPECT_FALSE(leaf->parent->leaf);
  EXPECT_TRUE(leaf->leaf);
  EXPECT_EQ(leaf->attached_at, 1U);
}

TEST(Tree, CountsWhatIsUnfinishedOnTheWholeWayUp) {
  Tree tree;
  Node* a = tree.extend(tree.root(), step(0));
  Node* b = tree.insert(a, steps({1, 2}));
  Node* c = tree.insert(a, steps({3}));
  EXPECT_EQ(tree.root()->unfinished, 3U);  // itself, b and c
  EXPECT_EQ(a->unfinished, 2U);
  EXPECT_EQ(b->parent->unfinished, 1U);
  EXPECT_EQ(c->unfinished, 1U);
  tree.finish(b);
  EXPECT_EQ(tree.root()->unfinished, 2U);
  EXPECT_EQ(a->unfinished, 1U);
  EXPECT_EQ(b->parent->unfinished, 0U);
  EXPECT_EQ(c->unfinished, 1U);
}

TEST(Tree, LeftmostIsOfBranchesBeforeDepth) {
  Tree tree;
  Node* a = tree.extend(tree.root(), step(0));
  Node* right = tree.insert(tree.root(), steps({1}));
  Node* deep = tree.insert(a, steps({2, 3, 4}));
  tree.finish(tree.root());
  EXPECT_EQ(tree.leftmost(), deep);
  tree.finish(deep);
  EXPECT_EQ(tree.leftmost(), right);
  // New work left of what was leftmost: it is planned first again.
  Node* below = tree.extend(right, step(5));
  Node* late = tree.insert(below, steps({6}));
  tree.finish(right);
  EXPECT_EQ(tree.leftmost(), late);
  tree.finish(late);
  EXPECT_EQ(tree.leftmost(), nullptr);
}

TEST(Tree, GivesBackWhatIsFinishedWithAllLeftOfIt) {
  Counted tree;
  Node* a = tree.extend(tree.root(), step(0));
  Node* b = tree.extend(a, step(1));
  tree.extend(b, step(2));
  Node* right = tree.insert(tree.root(), steps({3, 4}));
  EXPECT_EQ(tree.kept(), 5U);
  tree.finish(tree.root());
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
  tree.finish(tree.root());
  tree.finish(right);
  EXPECT_EQ(tree.leftmost(), left);
  EXPECT_EQ(tree.kept(), 4U);
  EXPECT_EQ(branches(below), (Threads{3}));  // a reversal may still walk through it
  Node* again = tree.insert(below, steps({4}));
  tree.finish(left);
  EXPECT_EQ(tree.leftmost(), again);
  tree.finish(again);
  EXPECT_EQ(tree.leftmost(), nullptr);
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
      EXPECT_FALSE(at->leaf);
      nodes.insert(at);
    }
    Node* next = tree.insert(tree.root(), steps({1}));
    tree.finish(leaf);
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
  tree.finish(tree.root());
  EXPECT_EQ(tree.leftmost(), right);
  EXPECT_EQ(tree.kept(), 2U);
}

// The same tree without giving anything back.
struct Shadow {
  Node* node = nullptr;
  std::uint64_t serial = 0;
  Shadow* parent = nullptr;
  std::vector<std::unique_ptr<Shadow>> children;
  bool planned = false;

  bool unfinished() const {
    return planned || std::ranges::any_of(children, [](auto& c) { return c->unfinished(); });
  }
  std::size_t size() const {
    std::size_t n = 1;
    for (const auto& c : children) n += c->size();
    return n;
  }
  Shadow* add(Node* n) {
    children.push_back(std::make_unique<Shadow>());
    *children.back() = Shadow{n, n->serial, this, {}, false};
    return children.back().get();
  }
  Shadow* leftmost() {
    for (const auto& c : children)
      if (c->unfinished()) return c->leftmost();
    return this;
  }
  // What is needed: of finished branches left of the first unfinished one only they themselves.
  std::size_t needed() const {
    std::size_t n = 1;
    bool left = true;
    for (const auto& c : children) {
      const bool first = left && c->unfinished();
      n += first ? c->needed() : left ? 1 : c->size();
      left = left && !first;
    }
    return n;
  }
};

class RandomTree {
 public:
  explicit RandomTree(std::uint64_t seed) : random_(seed) {
    root_.node = tree_.root();
    root_.serial = root_.node->serial;
    root_.planned = true;
    planned_.push_back(&root_);
  }

  void run(bool leftmost_first) {
    for (int budget = 60; Node* leftmost = tree_.leftmost(); --budget) {
      ASSERT_EQ(leftmost, root_.leftmost()->node);
      ASSERT_EQ(tree_.kept() + 1, root_.needed());
      Shadow* leaf = leftmost_first ? root_.leftmost() : random_.pick(planned_);
      std::erase(planned_, leaf);
      Shadow* end = leaf;
      for (int k = random_.between(0, 4); k > 0; --k)
        end = end->add(tree_.extend(end->node, step(0)));
      for (int k = random_.between(0, 3); k > 0 && budget > 0; --k) plan(end);
      tree_.finish(leaf->node);
      leaf->planned = false;
    }
    EXPECT_FALSE(root_.unfinished());
    EXPECT_EQ(tree_.root()->unfinished, 0U);
  }

 private:
  // A reversal: somewhere on the path, or right of it.
  void plan(Shadow* end) {
    Shadow* at = end->parent == nullptr ? end : end->parent;
    while (at->parent != nullptr && random_.chance(.5)) at = at->parent;
    while (!at->children.empty() && !at->children.back()->planned && random_.chance(.3))
      at = at->children.back().get();
    Node* leaf = tree_.insert(at->node, steps(Threads(1 + random_.below(3), 1)));
    std::vector<Node*> nodes;
    tree_.path_to(leaf, nodes);
    std::size_t depth = 0;
    for (const Shadow* s = at; s->parent != nullptr; s = s->parent) ++depth;
    for (; depth < nodes.size(); ++depth) at = at->add(nodes[depth]);
    at->planned = true;
    planned_.push_back(at);
  }

  Random random_;
  Counted tree_;
  Shadow root_;
  std::vector<Shadow*> planned_;
};

TEST(Tree, KeepsWhatIsNeededAndNoMore) {
  for (std::uint64_t seed = 1; seed <= 100 && !testing::Test::HasFailure(); ++seed)
    for (const bool leftmost_first : {true, false}) {
      SCOPED_TRACE(seed);
      RandomTree(seed).run(leftmost_first);
    }
}

}  // namespace
}  // namespace heddle
