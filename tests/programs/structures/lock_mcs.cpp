// The lock of Mellor-Crummey and Scott: a queue of waiting threads, each at a flag of its own.
// expect: verified
#include <atomic>
#include <cassert>
#include <thread>

struct Node {
  std::atomic<Node*> next = nullptr;
  std::atomic<bool> waits = true;
};
std::atomic<Node*> tail = nullptr;
long x = 0;

void add() {
  Node self;
  if (Node* before = tail.exchange(&self)) {
    before->next = &self;
    while (self.waits) {
    }
  }
  x = x + 1;
  Node* expected = &self;
  if (self.next == nullptr && tail.compare_exchange_strong(expected, nullptr)) return;
  while (self.next == nullptr) {
  }
  self.next.load()->waits = false;
}

int main() {
  std::thread a(add), b(add);
  a.join();
  b.join();
  assert(x == 2 && tail == nullptr);
}
