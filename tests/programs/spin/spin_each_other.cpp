// Each waits until the other has given up: both can wait at the same time, for ever.
// expect: finding livelock
#include <atomic>
#include <thread>

std::atomic<bool> wants[2];

void enter(int self) {
  wants[self] = true;
  while (wants[1 - self]) {
  }
  wants[self] = false;
}

int main() {
  std::thread a(enter, 0), b(enter, 1);
  a.join();
  b.join();
}
