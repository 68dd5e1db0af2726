// A queue that appends without looking whether another thread has: what that brought is lost.
// expect: finding assertion line here
#include <atomic>
#include <cassert>
#include <thread>

struct Node {
  long value = 0;
  std::atomic<Node*> next = nullptr;
};
Node nodes[3];
std::atomic<Node*> head = &nodes[0], tail = &nodes[0];

void put(Node* node) {
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
  nodes[1].value = 1;
  nodes[2].value = 2;
  std::thread a(put, &nodes[1]), b(put, &nodes[2]);
  a.join();
  b.join();
  assert(take() + take() == 3 && take() == 0);  // here
}
