// A lock-free stack whose nodes come back: one thread pops the first while the other takes both and
// puts the first back. The compare-exchange cannot tell, and the second is there again.
// expect: finding assertion line here
#include <atomic>
#include <cassert>
#include <thread>

struct Node {
  std::atomic<Node*> next = nullptr;
};
Node second, first{&second};
std::atomic<Node*> top = &first;

void push(Node* node) {
  Node* old = top;
  do node->next = old;
  while (!top.compare_exchange_strong(old, node));
}
Node* pop() {
  Node* node = top;
  while (node != nullptr && !top.compare_exchange_strong(node, node->next)) {
  }
  return node;
}

int main() {
  std::thread a([] { pop(); });
  Node* one = pop();
  Node* other = pop();
  push(one);
  a.join();
  assert(other == nullptr || top != other);  // here
}
