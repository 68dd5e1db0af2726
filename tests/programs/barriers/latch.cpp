// A latch: main continues when it has been counted down, and sees what was done before.
// expect: verified
#include <cassert>
#include <latch>
#include <thread>

int main() {
  std::latch done(2);
  long x = 0;
  done.count_down();
  std::thread a([&] {
    x = 1;
    done.count_down();
  });
  done.wait();
  assert(x == 1 && done.try_wait());
  a.join();
}
