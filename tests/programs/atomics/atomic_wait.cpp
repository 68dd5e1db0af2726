// A wait for an atomic to change, and its notification: none sleeps for ever, and the data is seen.
// expect: verified
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> state = 0;
long data = 0;

int main() {
  std::thread a([] {
    state.wait(0);
    assert(state == 1 && data == 5);
  });
  data = 5;
  state = 1;
  state.notify_one();
  a.join();
}
