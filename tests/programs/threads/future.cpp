// A value and an exception through futures.
// expect: verified
#include <cassert>
#include <future>

int main() {
  std::promise<int> promise;
  std::future<int> future = promise.get_future();
  std::thread a([&] { promise.set_value(3); });
  assert(future.get() == 3);
  a.join();
}
