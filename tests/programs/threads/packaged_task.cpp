// A packaged task hands over what it returns; a promise that is never kept says so.
// expect: verified
#include <cassert>
#include <future>
#include <thread>

int main() {
  std::packaged_task<int(int)> task([](int n) { return n * n; });
  std::future<int> squared = task.get_future(), broken;
  {
    std::promise<int> promise;
    broken = promise.get_future();
  }
  std::thread a(std::move(task), 7);
  assert(squared.get() == 49 && !squared.valid());
  a.join();
  try {
    broken.get();
    assert(false);
  } catch (const std::future_error& error) {
    assert(error.code() == std::future_errc::broken_promise);
  }
}
