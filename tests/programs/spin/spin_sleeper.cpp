// An object counts the rounds of two loops, one in the other, to know when to give way.
// expect: verified optimal=2 observers=2
#include <atomic>
#include <cassert>
#include <thread>

class Sleeper {
 public:
  void wait() {
    if (rounds_ < 4000)
      ++rounds_;
    else
      std::this_thread::yield();
  }

 private:
  unsigned rounds_ = 0;
};

std::atomic<bool> taken{false};
int entered = 0;

void enter() {
  Sleeper sleeper;
  for (bool expected = false; !taken.compare_exchange_strong(expected, true); expected = false)
    do sleeper.wait();
    while (taken.load());
  ++entered;
  taken.store(false);
}

int main() {
  std::thread a(enter), b(enter);
  a.join();
  b.join();
  assert(entered == 2);
}
