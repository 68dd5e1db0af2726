// A std::thread that is neither joined nor detached takes the program with it.
// expect: finding terminate
#include <atomic>
#include <thread>

std::atomic<long> x;

int main() {
  std::thread a([] { x = 1; });
  if (x == 1) a.join();
}
