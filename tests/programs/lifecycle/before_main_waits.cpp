// An initialiser waits for what no thread does.
// expect: finding deadlock
#include <condition_variable>
#include <mutex>

static std::mutex mutex;
static std::condition_variable changed;
struct Waiter {
  Waiter() {
    std::unique_lock hold(mutex);
    changed.wait(hold);
  }
};
static Waiter waiter;

int main() {}
