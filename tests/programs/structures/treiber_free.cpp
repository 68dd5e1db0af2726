// A lock-free stack that frees what another thread may still look at.
// expect: finding use-after-free or data-race
#include <atomic>
#include <thread>

struct Node {
  long value;
  Node* next;
};
std::atomic<Node*> top;

void pop() {
  Node* node = top.load();
  while (node != nullptr && !top.compare_exchange_strong(node, node->next)) {
  }
  delete node;
}

int main() {
  top = new Node{1, new Node{2, nullptr}};
  std::thread s(pop), t(pop);
  s.join();
  t.join();
}
