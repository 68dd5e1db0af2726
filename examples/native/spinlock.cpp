// A spinlock that looks whether it is free, and then takes it: two threads can both see it free.
// expect: finding data-race line 25
#include <atomic>
#include <cassert>
#include <thread>

class Spinlock {
 public:
  void lock() {
    while (held_) {
    }
    held_ = true;
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
