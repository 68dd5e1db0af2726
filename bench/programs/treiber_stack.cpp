// A lock-free stack (Treiber 1986): N threads each push and pop once. Nodes are freed at the
// end, since other threads may look at them until then.
#include <atomic>
#include <cassert>
#include <thread>
#include <vector>

#ifndef N
#define N 2
#endif

struct Node {
  int value;
  Node* next = nullptr;
};
std::atomic<Node*> top = nullptr;

void push(Node* node) {
  node->next = top.load();
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
  Node nodes[N];
  int popped[N] = {};
  std::vector<std::thread> threads;
  for (int i = 0; i < N; ++i)
    threads.emplace_back([&, i] {
      nodes[i].value = i;
      push(&nodes[i]);
      ++popped[pop()->value];
    });
  for (std::thread& t : threads) t.join();
  for (const int times : popped) assert(times == 1);
}
