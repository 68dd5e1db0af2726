// The queue of Michael and Scott, with one producer and two consumers: each value is taken once.
// expect: verified
#include <atomic>
#include <cassert>
#include <thread>

struct Node {
  long value = 0;
  std::atomic<Node*> next = nullptr;
};
Node nodes[3];
std::atomic<Node*> head = &nodes[0], tail = &nodes[0];

void put(Node* node, long value) {
  node->value = value;
  Node* last = tail;
  last->next = node;
  tail = node;
}
long take() {
  while (true) {
    Node* first = head;
    Node* next = first->next;
    if (next == nullptr) return 0;
    if (head.compare_exchange_strong(first, next)) return next->value;
  }
}

int main() {
  long got = 0;
  std::thread a([] { put(&nodes[1], 1), put(&nodes[2], 2); });
  std::thread b([&got] { got = take(); });
  const long mine = take();
  a.join();
  b.join();
  assert(got == 0 || mine == 0 || got + mine == 3);
}
