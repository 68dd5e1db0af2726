#include "core/tree.hpp"

#include <algorithm>

#include "base/check.hpp"

namespace heddle {

Tree::Tree() : root_(make(nullptr, {})) {
  root_->attached_at = 0;
  root_->planned = root_->unfinished = 1;
}

Node* Tree::make(Node* parent, const Event& head) {
  Node* node = free_;
  if (node == nullptr) {
    node = &storage_.emplace_back();
  } else {
    free_ = node->next;
    node->first_child = node->last_child = node->next = node->first_open = nullptr;
    node->planned = node->unfinished = node->depth = 0;
    node->attached_at = Node::nowhere;
    node->runs = 0;
    node->vague = false;
  }
  ++live_;
  node->serial = ++serial_;
  node->head = head;
  node->parent = parent;
  if (parent == nullptr) return node;
  node->depth = parent->depth + 1;
  (parent->last_child == nullptr ? parent->first_child : parent->last_child->next) = node;
  if (parent->first_open == nullptr) parent->first_open = node;
  parent->last_child = node;
  return node;
}

Node* Tree::extend(Node* at, const Event& head) { return make(at, head); }

Node* Tree::insert(Node* at, std::span<const Event> sequence) {
  HEDDLE_CHECK(!sequence.empty());
  const std::uint32_t attached_at = at->depth;
  for (const Event& e : sequence) at = make(at, e);
  at->attached_at = attached_at;
  count(at, &Node::planned);
  count(at, &Node::unfinished);
  return at;
}

// The ways up end where there is one more, or one less, of several: so most are short.
void Tree::count(Node* node, std::uint32_t Node::* what) {
  while (node != nullptr && (node->*what)++ == 0) node = node->parent;
}

void Tree::discount(Node* node, std::uint32_t Node::* what) {
  do {
    HEDDLE_CHECK(node->*what != 0);
    if (--(node->*what) != 0) return;
    node = node->parent;
  } while (node != nullptr);
}

void Tree::claim(Node* leaf) {
  HEDDLE_CHECK(leaf->is_insertion_end() && leaf->planned != 0);
  discount(leaf, &Node::planned);
}

void Tree::unclaim(Node* leaf) {
  HEDDLE_CHECK(leaf->is_insertion_end() && leaf->unfinished > leaf->planned);
  count(leaf, &Node::planned);
}

void Tree::hold(Node* node) {
  HEDDLE_CHECK(node != root_);
  count(node, &Node::unfinished);
}

void Tree::finish(Node* node) {
  HEDDLE_CHECK(node->unfinished > node->planned);  // its own, besides those of its children
  discount(node, &Node::unfinished);
}

Node* Tree::leftmost() {
  Node* node = root_;
  if (node->planned == 0) return nullptr;
  bool all_left_finished = true;
  for (;;) {
    while (all_left_finished && node->first_open != nullptr && node->first_open->unfinished == 0) {
      empty(node->first_open);
      node->first_open = node->first_open->next;
    }
    Node* child = node->first_open;
    while (child != nullptr && child->planned == 0) child = child->next;
    if (child == nullptr) return node;  // something is planned, and nothing below it is
    all_left_finished = all_left_finished && child == node->first_open;
    node = child;
  }
}

void Tree::path_to(const Node* node, Schedule& out) const {
  out.resize(node->depth);
  for (; node->parent != nullptr; node = node->parent) out[node->depth - 1] = node->head.move;
}

// Frees all nodes below this one.
void Tree::empty(Node* node) {
  Node* n = node->first_child;
  node->first_child = node->last_child = node->first_open = nullptr;
  while (n != nullptr) {
    HEDDLE_CHECK(n->unfinished == 0);
    // Children are spliced in after their parent: no stack, however deep the tree.
    if (n->first_child != nullptr) {
      n->last_child->next = n->next;
      n->next = n->first_child;
    }
    node->runs += n->runs + (n->is_insertion_end() ? 1 : 0);
    Node* next = n->next;
    n->next = free_;
    free_ = n;
    --live_;
    n = next;
  }
}

}  // namespace heddle
