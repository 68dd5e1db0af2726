// Threads one after the other use the same memory as their stacks: that is not a race.
// expect: verified
#include <atomic>
#include <cassert>
#include <cstring>
#include <thread>

std::atomic<long> total = 0;

void work(char c) {
  char local[2000];
  std::memset(local, c, sizeof local);
  total += local[static_cast<unsigned char>(c)];
}

int main() {
  std::thread first(work, 1), second(work, 2);
  first.join();
  std::thread third(work, 3);
  second.join();
  third.join();
  assert(total == 6);
}
