// Exceptions across switches: each thread catches its own.
// expect: verified optimal=6 observers=6
#include <atomic>
#include <cassert>
#include <stdexcept>
#include <string>
#include <thread>

std::atomic<long> x;

void work(int id) {
  try {
    x.fetch_add(1);
    throw std::runtime_error(std::to_string(id));
  } catch (const std::runtime_error& e) {
    x.fetch_add(1);
    assert(e.what() == std::to_string(id));
  }
}

int main() {
  std::thread a(work, 1), b(work, 2);
  a.join();
  b.join();
}
