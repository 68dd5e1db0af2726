// The thread still uses an object that its creator has deleted.
// expect: finding use-after-free line here
#include <atomic>
#include <thread>

struct Task {
  long result = 0;
};
std::atomic<bool> cancelled = false;

int main() {
  auto* task = new Task;
  std::thread a([task] {
    if (cancelled) task->result = 1;  // here
  });
  delete task;
  cancelled = true;
  a.join();
}
