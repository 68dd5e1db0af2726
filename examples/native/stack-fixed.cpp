// stack.cpp, with removed nodes kept until both threads have ended.
// expect: verified
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

Node* pop() {
  Node* node = top.load();
  while (node && !top.compare_exchange_weak(node, node->next)) {
  }
  return node;
}

int main() {
  push(1);
  push(2);
  Node *first = nullptr, *second = nullptr;
  std::thread a([&] { first = pop(); }), b([&] { second = pop(); });
  a.join();
  b.join();
  delete first;
  delete second;
}
