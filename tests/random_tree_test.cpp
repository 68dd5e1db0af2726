// The tree against one that keeps everything, with random work in flight.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "core/path.hpp"
#include "core/tree.hpp"

namespace heddle {
namespace {

// The same tree without giving anything back.
struct Shadow {
  Node* node = nullptr;
  std::uint64_t serial = 0;
  Shadow* parent = nullptr;
  std::vector<std::unique_ptr<Shadow>> children;
  bool planned = false;
  int open = 0;  // planned, taken or held

  bool unfinished() const {
    return open > 0 || std::ranges::any_of(children, [](auto& c) { return c->unfinished(); });
  }
  bool has_planned() const {
    return planned || std::ranges::any_of(children, [](auto& c) { return c->has_planned(); });
  }
  std::size_t size() const {
    std::size_t n = 1;
    for (const auto& c : children) n += c->size();
    return n;
  }
  Shadow* add(Node* n) {
    children.push_back(std::make_unique<Shadow>());
    *children.back() = Shadow{n, n->serial, this, {}, false, 0};
    return children.back().get();
  }
  Shadow* leftmost() {
    for (const auto& c : children)
      if (c->has_planned()) return c->leftmost();
    return this;
  }
  // What is needed: of finished branches left of the first unfinished one only they themselves.
  std::size_t needed(bool all = false) const {
    EXPECT_EQ(node->serial, serial);  // it is still there
    std::size_t n = 1;
    bool left = !all;
    for (const auto& c : children) {
      const bool first = left && c->unfinished();
      n += first ? c->needed() : left ? 1 : c->needed(true);
      left = left && !first;
    }
    return n;
  }
};

class RandomWork {
 public:
  RandomWork(std::uint64_t seed, std::size_t under_way) : random_(seed), under_way_(under_way) {
    root_.node = tree_.root();
    root_.serial = root_.node->serial;
    planned(&root_);
  }

  void run(bool leftmost_first) {
    for (int budget = 60; root_.unfinished(); --budget) {
      if (tree_.leftmost() != nullptr && taken_.size() < under_way_)
        pick(leftmost_first);
      else if (!held_.empty() && random_.chance(.5))
        release(budget);
      else if (!taken_.empty())
        end_run(budget);
      else
        release(budget);
      if (testing::Test::HasFailure()) return;
    }
    EXPECT_EQ(tree_.leftmost(), nullptr);
    EXPECT_EQ(tree_.root()->unfinished, 0U);
    EXPECT_EQ(tree_.root()->planned, 0U);
  }

 private:
  void pick(bool leftmost_first) {
    ASSERT_EQ(tree_.leftmost(), root_.leftmost()->node);
    if (under_way_ == 1 && held_.empty())
      ASSERT_EQ(tree_.live_nodes(), root_.needed());
    else
      ASSERT_GE(tree_.live_nodes(), root_.needed());
    Shadow* leaf = leftmost_first ? root_.leftmost() : random_.pick(planned_);
    std::erase(planned_, leaf);
    leaf->planned = false;
    tree_.claim(leaf->node);
    taken_.push_back(leaf);
  }

  void end_run(int budget) {
    Shadow* leaf = random_.pick(taken_);
    std::erase(taken_, leaf);
    Shadow* end = leaf;
    for (int k = random_.between(0, 4); k > 0; --k)
      end = end->add(tree_.extend(end->node, Event()));
    for (int k = random_.between(0, 3); k > 0 && budget > 0; --k) {
      Shadow* first = on_path(end);
      if (first->parent != nullptr && under_way_ > 1 && random_.chance(.5))
        hold(first);
      else
        plan(first);
    }
    tree_.finish(leaf->node);
    --leaf->open;
  }

  void hold(Shadow* first) {
    tree_.hold(first->node);
    ++first->open;
    held_.push_back(first);
  }
  void release(int budget) {
    Shadow* first = random_.pick(held_);
    held_.erase(std::ranges::find(held_, first));
    if (budget > 0) plan(first);
    tree_.finish(first->node);
    --first->open;
  }

  Shadow* on_path(Shadow* end) {
    while (end->parent != nullptr && random_.chance(.5)) end = end->parent;
    return end;
  }

  // A reversal of a race whose first event this is: beside it, or right of it.
  void plan(Shadow* first) {
    Shadow* at = first->parent == nullptr ? first : first->parent;
    while (at->children.size() > 1 && at->children.back().get() != first &&
           at->children.back()->open == 0 && random_.chance(.3))
      at = at->children.back().get();
    Node* leaf = tree_.insert(at->node, std::vector<Event>(1 + random_.below(3)));
    Path path;
    path.lead_to(leaf);
    std::size_t depth = 0;
    for (const Shadow* s = at; s->parent != nullptr; s = s->parent) ++depth;
    for (; depth < path.size(); ++depth) at = at->add(path[depth]);
    planned(at);
  }

  void planned(Shadow* leaf) {
    leaf->planned = true;
    ++leaf->open;
    planned_.push_back(leaf);
  }

  Random random_;
  std::size_t under_way_;
  Tree tree_;
  Shadow root_;
  std::vector<Shadow*> planned_, taken_, held_;
};

TEST(RandomTree, KeepsWhatIsNeededAndNoMore) {
  for (std::uint64_t seed = 1; seed <= 100 && !testing::Test::HasFailure(); ++seed)
    for (const std::size_t under_way : {1U, 2U, 9U})
      for (const bool leftmost_first : {true, false}) {
        SCOPED_TRACE(std::to_string(seed) + ", " + std::to_string(under_way) + " under way");
        RandomWork(seed, under_way).run(leftmost_first);
      }
}

}  // namespace
}  // namespace heddle
