// The lock of Craig, Landin and Hagersten: each waits at the node of the one before it, and takes
// that node with it when it leaves.
// expect: verified
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

class QueueLock {
 public:
  struct alignas(64) Node {
    std::atomic<bool> held{false};
  };
  // One thread's place in the queue.
  class Place {
   public:
    Place() : mine_(new Node) {}
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;
    ~Place() { delete mine_; }

   private:
    friend QueueLock;
    Node* mine_;
    Node* before_ = nullptr;
  };
  ~QueueLock() { delete tail_.load(std::memory_order_relaxed); }
  void lock(Place& place) {
    place.mine_->held.store(true, std::memory_order_relaxed);
    place.before_ = tail_.exchange(place.mine_, std::memory_order_acq_rel);
    while (place.before_->held.load(std::memory_order_acquire)) __builtin_ia32_pause();
  }
  void unlock(Place& place) {
    Node* mine = place.mine_;
#ifndef BROKEN
    place.mine_ = place.before_;
#endif
    mine->held.store(false, std::memory_order_release);
  }

 private:
  std::atomic<Node*> tail_{new Node};
};

QueueLock lock;
int x = 0;

void add(int times) {
  static thread_local QueueLock::Place place;
  for (int i = 0; i < times; ++i) {
    lock.lock(place);
    x = x + 1;
    lock.unlock(place);
  }
}

int main() {
  std::thread a(add, 1);
  add(2);
  a.join();
  assert(x == 3);
}
