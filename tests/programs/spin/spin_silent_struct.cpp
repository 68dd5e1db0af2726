// A waiting loop that copies a structure, which is most often as it was.
// options: --max-steps 3000
// expect: verified
#include <atomic>
#include <thread>

struct State {
  long parts[5];
  int done;
};
std::atomic<int> done{0};
State current, copy;

int main() {
  std::thread t([] { done = 1; });
  while (!copy.done) {
    State now = current;
    now.done = done;
    copy = now;
  }
  t.join();
}
