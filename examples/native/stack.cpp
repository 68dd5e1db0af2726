// A lock-free stack whose pop frees the node at once. Another thread can have loaded the same node
// and look into it after that. stack-fixed.cpp keeps removed nodes until none can look at them.
// expect: finding data-race line 24
#include <atomic>
#include <thread>

struct Node {
  int value;
  Node* next;
};

std::atomic<Node*> top;

void push(int value) {
  Node* node = new Node{value, top.load()};
  while (!top.compare_exchange_weak(node->next, node)) {
  }
}

void pop() {
  Node* node = top.load();
  while (node && !top.compare_exchange_weak(node, node->next)) {
  }
  delete node;
}

int main() {
  push(1);
  push(2);
  std::thread a(pop), b(pop);
  a.join();
  b.join();
}
