// What is set before the end of a thread is ready while its thread-local objects are there.
// expect: finding data-race
#include <cassert>
#include <future>
#include <thread>

static int gone;
struct Local {
  int used = 0;
  ~Local() { ++gone; }
};
static thread_local Local local;

int main() {
  std::promise<int> promise;
  auto future = promise.get_future();
  std::thread a([&] {
    local.used = 1;
    promise.set_value(7);
  });
  assert(future.get() == 7);
  assert(gone == 1);
  a.join();
}
