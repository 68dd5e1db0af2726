// A lock-free stack, used by two threads: each pushes and pops once.
#include <atomic>
#include <thread>

struct Node {
  long value;
  Node* next;
};
std::atomic<Node*> top;

Node* work(long value) {
  Node* node = new Node{value, nullptr};
  node->next = top.load();
  while (!top.compare_exchange_weak(node->next, node)) {
  }
  node = top.load();
  while (node != nullptr && !top.compare_exchange_weak(node, node->next)) {
  }
  return node;  // others may still look at it
}

int main() {
  Node *x = nullptr, *y = nullptr;
  std::thread a([&] { x = work(1); }), b([&] { y = work(2); });
  a.join();
  b.join();
  delete x;
  delete y;
}
