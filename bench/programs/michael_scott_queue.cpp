// A lock-free queue (Michael and Scott 1996): N threads each put a value and take one.
#include <atomic>
#include <cassert>
#include <thread>
#include <vector>

#ifndef N
#define N 2
#endif

struct Node {
  int value = 0;
  std::atomic<Node*> next = nullptr;
};
Node nodes[N + 1];
std::atomic<Node*> head = &nodes[N], tail = &nodes[N];

void put(Node* node) {
  while (true) {
    Node *last = tail, *next = last->next;
    if (next != nullptr) {
      tail.compare_exchange_strong(last, next);  // help who was slower
    } else if (last->next.compare_exchange_strong(next, node)) {
      tail.compare_exchange_strong(last, node);
      return;
    }
  }
}
int take() {
  while (true) {
    Node* first = head;
    Node* next = first->next;
    if (next == nullptr) return 0;
    if (head.compare_exchange_strong(first, next)) return next->value;
  }
}

int main() {
  int sum = 0;
  int taken[N];
  std::vector<std::thread> threads;
  for (int i = 0; i < N; ++i)
    threads.emplace_back([&, i] {
      nodes[i].value = i + 1;
      put(&nodes[i]);
      taken[i] = take();
    });
  for (std::thread& t : threads) t.join();
  for (const int value : taken) sum += value;
  assert(sum == N * (N + 1) / 2);
}
