// A lock-free stack whose nodes are freed when no thread can look at them any more.
// expect: verified optimal=40 observers=40
#include <atomic>
#include <cassert>
#include <thread>

struct Node {
  long value;
  Node* next;
};
std::atomic<Node*> top;

void push(long value) {
  Node* node = new Node{value, top.load()};
  while (!top.compare_exchange_strong(node->next, node)) {
  }
}
Node* pop() {
  Node* node = top.load();
  while (node != nullptr && !top.compare_exchange_strong(node, node->next)) {
  }
  return node;
}

int main() {
  Node *a = nullptr, *b = nullptr;
  std::thread s([&] { push(1), a = pop(); }), t([&] { push(2), b = pop(); });
  s.join();
  t.join();
  assert(a->value + b->value == 3);
  delete a;
  delete b;
}
