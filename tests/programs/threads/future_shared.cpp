// Two threads wait for one shared future; both see what was written before it was set.
// expect: verified
#include <cassert>
#include <future>
#include <thread>

int main() {
  long data = 0;
  std::promise<void> promise;
  const std::shared_future<void> future = promise.get_future().share();
  const auto wait = [&data, future] {
    future.wait();
    assert(data == 4);
  };
  std::thread a(wait), b(wait);
  data = 4;
  promise.set_value();
  a.join();
  b.join();
}
