// As before, but how often it waited is told: each number of rounds matters.
// expect: finding assertion
#include <atomic>
#include <cassert>
#include <thread>

class Sleeper {
 public:
  void wait() {
    if (rounds_ < 4) ++rounds_;
  }
  unsigned rounds() const { return rounds_; }

 private:
  unsigned rounds_ = 0;
};

std::atomic<bool> taken{false};
std::atomic<unsigned> most{0};

void enter() {
  Sleeper sleeper;
  for (bool expected = false; !taken.compare_exchange_strong(expected, true); expected = false)
    do sleeper.wait();
    while (taken.load());
  if (sleeper.rounds() == 3) most = 3;
  taken.store(false);
}

int main() {
  std::thread a(enter), b(enter);
  a.join();
  b.join();
  assert(most < 3);
}
