// Two threads count down, two wait. What is on their stacks is compared, and not what earlier runs
// left there.
// expect: verified optimal=2180 observers=2180
// cflags: -std=c++20
#include <latch>
#include <thread>

int main() {
  std::latch done(2);
  std::thread a([&] { done.count_down(); }), b([&] { done.count_down(); });
  std::thread c([&] { done.wait(); });
  done.wait();
  a.join();
  b.join();
  c.join();
}
