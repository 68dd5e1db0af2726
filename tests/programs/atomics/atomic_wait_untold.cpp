// The atomic changes, without a notification.
// expect: finding deadlock
#include <atomic>
#include <thread>

std::atomic<int> state = 0;

int main() {
  std::thread a([] { state.wait(0); });
  state = 1;
  a.join();
}
