// What a checkpoint keeps of a tree, and how large the tree will be.
#include <cmath>

#include "base/check.hpp"
#include "core/tree.hpp"

namespace heddle {
namespace {

Misuse not_a_tree() { return Misuse("invalid tree"); }

// The runs through some branches of a node: how many there are in all, if those that are not
// known are like those that are.
class Branches {
 public:
  void add(const Outlook& known) {
    ++count_;
    sum_ += known.runs;
    squares_ += known.runs * known.runs;
    variance_ += known.deviation * known.deviation;
  }
  void add_unknown() { ++unknown_; }

  Outlook total() const {
    if (count_ == 0) return {unknown_, unknown_};
    const double mean = sum_ / count_;
    // One branch says nothing about how much they differ.
    const double spread =
        count_ > 1 ? (squares_ - sum_ * mean) / (count_ - 1) : mean * mean * (unknown_ > 0 ? 1 : 0);
    const double doubt = unknown_ * spread * (1 + unknown_ / count_);
    return {sum_ + unknown_ * mean, std::sqrt(std::max(0.0, variance_ + doubt))};
  }

 private:
  double count_ = 0, unknown_ = 0, sum_ = 0, squares_ = 0, variance_ = 0;
};

}  // namespace

// Calls visit(node) before its children are visited.
template <typename Visit>
void Tree::walk(Visit visit) const {
  for (Node* n = root_; n != nullptr;) {
    visit(n);
    if (n->first_child != nullptr) {
      n = n->first_child;
      continue;
    }
    while (n != nullptr && n->next == nullptr) n = n->parent;
    if (n != nullptr) n = n->next;
  }
}

SavedTree Tree::save() const {
  SavedTree out;
  walk([&](const Node* n) {
    out.push_back({n->depth, n->head.move, n->attached_at, is_planned_leaf(n), n->runs});
  });
  return out;
}

void Tree::restore(const SavedTree& saved) {
  if (saved.empty() || saved[0].depth != 0 || saved[0].attached_at != 0) throw not_a_tree();
  empty(root_);
  root_->planned = root_->unfinished = 0;
  Node* last = nullptr;
  for (const SavedNode& s : saved) {
    const bool is_root = &s == saved.data();
    if (!is_root && (s.depth == 0 || s.depth > last->depth + 1)) throw not_a_tree();
    if (last != nullptr && s.depth == last->depth + 1 && last->planned != 0) throw not_a_tree();
    while (last != nullptr && last->depth >= s.depth) last = last->parent;
    Node* node = is_root ? root_ : make(last, {.move = s.move});
    if (s.attached_at != Node::nowhere && s.attached_at > s.depth) throw not_a_tree();
    if (s.planned && s.attached_at == Node::nowhere) throw not_a_tree();
    node->attached_at = s.attached_at;
    node->runs = s.runs;
    if (s.planned) {
      count(node, &Node::planned);
      count(node, &Node::unfinished);
    }
    last = node;
  }
}

Node* Tree::at(const Schedule& path) const {
  Node* node = root_;
  for (const Move move : path) {
    node = node->first_child;
    while (node != nullptr && node->head.move != move) node = node->next;
    if (node == nullptr) throw not_a_tree();
  }
  return node;
}

std::vector<Node*> Tree::ends() const {
  std::vector<Node*> out;
  walk([&](Node* n) {
    if (n->first_child == nullptr && n != root_) out.push_back(n);
  });
  return out;
}

std::vector<Node*> Tree::planned() const {
  std::vector<Node*> out;
  walk([&](Node* n) {
    if (is_planned_leaf(n)) out.push_back(n);
  });
  return out;
}

// A run passes through the nodes after its leaf too, by their first children: it counts where it
// ends.
Outlook Tree::outlook() const {
  struct Open {
    const Node* next;  // child
    bool passed;       // by a run that began above, or here
    Branches branches;
  };
  const auto is_passed = [](const Node* n, bool from_above) {
    return from_above || n->is_insertion_end();
  };
  std::vector<Open> open;
  open.push_back({root_->first_child, true, {}});
  if (root_->first_child == nullptr) return {1 + static_cast<double>(root_->runs), 0};
  for (;;) {
    Open& at = open.back();
    if (at.next == nullptr) {
      const Outlook total = at.branches.total();
      open.pop_back();
      if (open.empty()) return total;
      open.back().branches.add(total);
      continue;
    }
    const Node* n = at.next;
    at.next = n->next;
    const bool passed = is_passed(n, at.passed && n->parent->first_child == n);
    if (n->first_child != nullptr)
      open.push_back({n->first_child, passed, {}});
    else if (n->unfinished != 0)
      at.branches.add_unknown();
    else
      at.branches.add({static_cast<double>(n->runs) + (passed ? 1 : 0), 0});
  }
}

}  // namespace heddle
