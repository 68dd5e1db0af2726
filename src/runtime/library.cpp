// What functions of libraries do to memory, told before they are called. Code of the C library and
// of libstdc++.so is not instrumented: what it reads and writes is known here, in ranges, of the
// containers' inner functions as far as it takes to see that two of them conflict.
#include <semaphore.h>

#include <cstdint>
#include <cstdio>
#include <cstring>

#include "runtime/abi.h"
#include "runtime/export.hpp"
#include "runtime/memory.hpp"
#include "runtime/scheduler.hpp"

using namespace heddle::runtime;

namespace {

std::size_t least(std::size_t a, std::size_t b) { return a < b ? a : b; }

void read_string(const char* s) {
  if (is_running()) plain_read(s, std::strlen(s) + 1);
}
void read_string(const char* s, std::size_t most) {
  if (!is_running()) return;
  const std::size_t length = strnlen(s, most);
  plain_read(s, least(length + 1, most));
}

// As libstdc++ has them.
struct ListNode {
  ListNode *next, *previous;
};
struct TreeNode {
  int color;
  TreeNode *parent, *left, *right;
};
struct String {
  const char* data;
  std::size_t length;
  char local[16];
};

void write_node(const void* node, std::size_t size) { plain_write(node, size); }

// Whoever changes the tree writes its header, which whoever walks through it reads.
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

BEFORE(memcpy)(void* to, const void* from, std::size_t n) {
  plain_read(from, n);
  plain_write(to, n);
}
BEFORE(memmove)(void* to, const void* from, std::size_t n) {
  plain_read(from, n);
  plain_write(to, n);
}
BEFORE(memset)(void* to, int, std::size_t n) { plain_write(to, n); }
BEFORE(memcmp)(const void* a, const void* b, std::size_t n) {
  plain_read(a, n);
  plain_read(b, n);
}
BEFORE(memchr)(const void* p, int c, std::size_t n) {
  const void* found = std::memchr(p, c, n);
  plain_read(p, found == nullptr ? n
                                 : static_cast<std::size_t>(static_cast<const char*>(found) -
                                                            static_cast<const char*>(p)) +
                                       1);
}

BEFORE(strlen)(const char* s) { read_string(s); }
BEFORE(strnlen)(const char* s, std::size_t n) { read_string(s, n); }
BEFORE(strcpy)(char* to, const char* from) {
  read_string(from);
  plain_write(to, std::strlen(from) + 1);
}
BEFORE(stpcpy)(char* to, const char* from) { __heddle_before_strcpy(to, from); }
BEFORE(strncpy)(char* to, const char* from, std::size_t n) {
  read_string(from, n);
  plain_write(to, n);
}
BEFORE(strcat)(char* to, const char* from) {
  read_string(to);
  read_string(from);
  plain_write(to + std::strlen(to), std::strlen(from) + 1);
}
BEFORE(strncat)(char* to, const char* from, std::size_t n) {
  read_string(to);
  read_string(from, n);
  plain_write(to + std::strlen(to), strnlen(from, n) + 1);
}
BEFORE(strcmp)(const char* a, const char* b) {
  read_string(a);
  read_string(b);
}
BEFORE(strncmp)(const char* a, const char* b, std::size_t n) {
  read_string(a, n);
  read_string(b, n);
}
BEFORE(strcasecmp)(const char* a, const char* b) { __heddle_before_strcmp(a, b); }
BEFORE(strncasecmp)(const char* a, const char* b, std::size_t n) {
  __heddle_before_strncmp(a, b, n);
}
BEFORE(strchr)(const char* s, int) { read_string(s); }
BEFORE(strrchr)(const char* s, int) { read_string(s); }
BEFORE(strstr)(const char* a, const char* b) { __heddle_before_strcmp(a, b); }
BEFORE(strdup)(const char* s) { read_string(s); }
BEFORE(strndup)(const char* s, std::size_t n) { read_string(s, n); }
BEFORE(atoi)(const char* s) { read_string(s); }
BEFORE(atol)(const char* s) { read_string(s); }
BEFORE(strtol)(const char* s, char** end, int) {
  read_string(s);
  if (end != nullptr) plain_write(end, sizeof *end);
}
BEFORE(strtoul)(const char* s, char** end, int base) { __heddle_before_strtol(s, end, base); }
BEFORE(sem_getvalue)(sem_t*, int* out) { plain_write(out, sizeof *out); }
BEFORE(puts)(const char* s) { read_string(s); }
BEFORE(fputs)(const char* s, std::FILE*) { read_string(s); }
BEFORE(fwrite)(const void* from, std::size_t size, std::size_t n, std::FILE*) {
  plain_read(from, size * n);
}
BEFORE(fread)(void* to, std::size_t size, std::size_t n, std::FILE*) { plain_write(to, size * n); }
BEFORE(write)(int, const void* from, std::size_t n) { plain_read(from, n); }
BEFORE(qsort)(void* at, std::size_t n, std::size_t size, int (*)(const void*, const void*)) {
  plain_write(at, n * size);
}

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

BEFORE(string)(const String* string, int use) {
  if (!is_running()) return;
  const bool writes = use != heddle::abi::string_read;
  (writes ? plain_write : plain_read)(string, sizeof *string);
  if (use != heddle::abi::string_construct)
    (writes ? plain_write : plain_read)(string->data, string->length + 1);
}
