// A thread that sees none after it leaves without a compare-exchange: one that has come since waits for
// ever, or links itself to a node that is gone with the stack of its thread.
// options: --races explore --keep-going
// expect: finding livelock or use-after-free
#include <atomic>
#include <thread>

struct Node {
  std::atomic<Node*> next = nullptr;
  std::atomic<bool> waits = true;
};
std::atomic<Node*> tail = nullptr;

void pass() {
  Node self;
  if (Node* before = tail.exchange(&self)) {
    before->next = &self;
    while (self.waits) {
    }
  }
  if (self.next == nullptr)
    tail = nullptr;
  else
    self.next.load()->waits = false;
}

int main() {
  std::thread a(pass), b(pass);
  pass();
  a.join();
  b.join();
}
