// What the containers' inner functions in libstdc++.so do to memory, reported before they are
// called: as far as needed to see that two of them conflict. (What plain functions do is in
// functions.h.)
#include <cstddef>
#include <cstdint>

#include "runtime/abi/abi.h"
#include "runtime/kernel/current.hpp"
#include "runtime/memory/memory.hpp"
#include "runtime/sys/export.hpp"

using namespace heddle::runtime;

namespace {

// As libstdc++ has them.
struct ListNode {
  ListNode *next, *previous;
};
struct TreeNode {
  int color;
  TreeNode *parent, *left, *right;
};

void write_node(const void* node, std::size_t size) { plain_write(node, size); }

// A function that changes the tree writes its header; a function that walks through it reads the
// header.
const TreeNode* header_of(const TreeNode* node) {
  while (node->parent != nullptr && node->parent->parent != node) node = node->parent;
  return node->parent == nullptr ? node : node->parent;
}
void walk_tree(const TreeNode* node) {
  if (!is_running()) return;
  plain_read(node, sizeof *node);
  plain_read(header_of(node), sizeof *node);
}

}  // namespace

#define BEFORE(name) HEDDLE_EXPORT void __heddle_before_##name

BEFORE(_ZNSt8__detail15_List_node_base7_M_hookEPS0_)(ListNode* node, ListNode* position) {
  write_node(node, sizeof *node);
  write_node(position, sizeof *position);
  write_node(position->previous, sizeof *position);
}
BEFORE(_ZNSt8__detail15_List_node_base9_M_unhookEv)(ListNode* node) {
  plain_read(node, sizeof *node);
  write_node(node->next, sizeof *node);
  write_node(node->previous, sizeof *node);
}
BEFORE(_ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_)
(ListNode* node, ListNode* first, ListNode* last) {
  for (ListNode* n : {node, node->previous, first, first->previous, last, last->previous})
    write_node(n, sizeof *n);
}
BEFORE(_ZNSt8__detail15_List_node_base10_M_reverseEv)(ListNode* node) {
  write_node(node, sizeof *node);
  for (ListNode* n = node->next; n != node; n = n->next) write_node(n, sizeof *n);
}
BEFORE(_ZNSt8__detail15_List_node_base4swapERS0_S1_)(ListNode* a, ListNode* b) {
  for (ListNode* n : {a, a->next, a->previous, b, b->next, b->previous}) write_node(n, sizeof *n);
}

BEFORE(_ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_)
(bool, TreeNode* node, TreeNode* parent, TreeNode* header) {
  write_node(node, sizeof *node);
  write_node(parent, sizeof *parent);
  write_node(header, sizeof *header);
}
BEFORE(_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_)
(TreeNode* node, TreeNode* header) {
  write_node(node, sizeof *node);
  write_node(header, sizeof *header);
}
BEFORE(_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base)(TreeNode* node) { walk_tree(node); }
BEFORE(_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base)(const TreeNode* node) { walk_tree(node); }
BEFORE(_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base)(TreeNode* node) { walk_tree(node); }
BEFORE(_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base)(const TreeNode* node) { walk_tree(node); }
