// A push that publishes its node relaxed: who pops it reads what is not ordered.
// expect: finding data-race
#include <atomic>
#include <thread>

struct Node {
  long value = 0;
  Node* next = nullptr;
};
Node node;
std::atomic<Node*> top = nullptr;

int main() {
  std::thread a([] {
    node.value = 1;
    Node* old = nullptr;
    top.compare_exchange_strong(old, &node, std::memory_order_relaxed);
  });
  long seen = 0;
  if (const Node* n = top.load(std::memory_order_acquire)) seen = n->value;
  a.join();
  return seen > 1;
}
