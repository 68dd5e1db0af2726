// A push that does not try again when the top has changed loses what it brought.
// expect: finding assertion line here
#include <atomic>
#include <cassert>
#include <thread>

struct Node {
  long value;
  Node* next;
};
Node nodes[2] = {{1, nullptr}, {2, nullptr}};
std::atomic<Node*> top = nullptr;

void push(Node* node) {
  node->next = top;
  top.compare_exchange_strong(node->next, node);
}

int main() {
  std::thread a(push, &nodes[0]), b(push, &nodes[1]);
  a.join();
  b.join();
  long sum = 0;
  for (Node* n = top; n != nullptr; n = n->next) sum += n->value;
  assert(sum == 3);  // here
}
