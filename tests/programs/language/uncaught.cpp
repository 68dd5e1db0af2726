// An exception that is not caught, in one schedule of two.
// expect: finding terminate
#include <atomic>
#include <stdexcept>
#include <thread>

std::atomic<long> x;

int main() {
  std::thread a([] {
    if (x.load() == 1) throw std::runtime_error("nobody catches this");
  });
  x = 1;
  a.join();
}
