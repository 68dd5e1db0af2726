// spinlock.cpp, with an exchange, which looks and takes in one step.
// expect: verified
#include <atomic>
#include <cassert>
#include <thread>

class Spinlock {
 public:
  void lock() {
    while (held_.exchange(true)) {
    }
  }
  void unlock() { held_ = false; }

 private:
  std::atomic<bool> held_ = false;
};

Spinlock spinlock;
int counter;

void count() {
  spinlock.lock();
  ++counter;
  spinlock.unlock();
}

int main() {
  std::thread a(count), b(count);
  a.join();
  b.join();
  assert(counter == 2);
}
