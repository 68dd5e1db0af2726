// Two wait, one is told.
// expect: finding deadlock
#include <atomic>
#include <thread>

std::atomic<int> state = 0;

int main() {
  std::thread a([] { state.wait(0); }), b([] { state.wait(0); });
  state = 1;
  state.notify_one();
  a.join();
  b.join();
}
