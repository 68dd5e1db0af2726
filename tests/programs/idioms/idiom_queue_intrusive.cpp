// Vyukov's queue of nodes for many producers and one consumer, which waits where a producer has
// announced a node and not yet linked it.
// expect: verified
#include <atomic>
#include <cassert>
#include <thread>

struct Node {
  std::atomic<Node*> next{nullptr};
  int value = 0;
};

class Queue {
 public:
  void push(Node* node) {
    node->next.store(nullptr, std::memory_order_relaxed);
    Node* before = head_.exchange(node, std::memory_order_acq_rel);
#ifdef BROKEN
    before->next.store(node, std::memory_order_relaxed);
#else
    before->next.store(node, std::memory_order_release);
#endif
  }
  Node* pop() {
    Node* tail = tail_;
    Node* next = tail->next.load(std::memory_order_acquire);
    if (tail == &stub_) {
      if (next == nullptr) return nullptr;
      tail_ = next;
      tail = next;
      next = next->next.load(std::memory_order_acquire);
    }
    if (next != nullptr) {
      tail_ = next;
      return tail;
    }
    if (tail != head_.load(std::memory_order_acquire)) return nullptr;
    push(&stub_);
    next = tail->next.load(std::memory_order_acquire);
    if (next == nullptr) return nullptr;
    tail_ = next;
    return tail;
  }

 private:
  Node stub_;
  std::atomic<Node*> head_{&stub_};
  Node* tail_ = &stub_;
};

Queue queue;
Node nodes[2];

int main() {
  std::thread a([] {
    nodes[0].value = 1;
    queue.push(&nodes[0]);
  });
  std::thread b([] {
    nodes[1].value = 2;
    queue.push(&nodes[1]);
  });
  int sum = 0;
  for (int left = 2; left > 0;) {
    if (Node* node = queue.pop()) {
      sum += node->value;
      --left;
    } else {
      std::this_thread::yield();
    }
  }
  a.join();
  b.join();
  assert(sum == 3);
}
