// A list that only grows: nodes are made, then published, and readers walk through it as they like.
// expect: verified
#include <atomic>
#include <cassert>
#include <thread>

struct Node {
  long value = 0;
  Node* next = nullptr;
};
Node nodes[2];
std::atomic<Node*> head = nullptr;

void insert(Node* node, long value) {
  node->value = value;
  node->next = head.load(std::memory_order_relaxed);
  while (!head.compare_exchange_strong(node->next, node, std::memory_order_release,
                                       std::memory_order_relaxed)) {
  }
}
long sum() {
  long out = 0;
  for (const Node* n = head.load(std::memory_order_acquire); n != nullptr; n = n->next)
    out += n->value;
  return out;
}

int main() {
  std::thread a(insert, &nodes[0], 1), b(insert, &nodes[1], 2);
  const long early = sum();
  assert(early >= 0 && early <= 3);
  a.join();
  b.join();
  assert(sum() == 3);
}
