// The latch waits for one more than there are.
// expect: finding deadlock
#include <latch>
#include <thread>

int main() {
  std::latch done(3);
  std::thread a([&] { done.arrive_and_wait(); });
  done.arrive_and_wait();
  a.join();
}
