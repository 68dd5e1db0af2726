// libstdc++ spins before it waits: the rounds are one.
// expect: verified
// cflags: -std=c++20
#include <latch>
#include <thread>

int main() {
  std::latch l(2);
  std::thread a([&] { l.count_down(); }), b([&] { l.count_down(); });
  l.wait();
  a.join();
  b.join();
}
