// What is set at the end of a thread is ready when its thread-local objects are gone.
// expect: verified
#include <cassert>
#include <condition_variable>
#include <future>
#include <mutex>
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
    promise.set_value_at_thread_exit(7);
  });
  assert(future.get() == 7);
  assert(gone == 1);
  a.join();

  std::packaged_task<int()> task([] { return local.used = 3; });
  auto result = task.get_future();
  std::thread b([&] { task.make_ready_at_thread_exit(); });
  assert(result.get() == 3);
  assert(gone == 2);
  b.join();

  std::mutex mutex;
  std::condition_variable changed;
  bool ready = false;
  std::thread c([&] {
    local.used = 4;
    std::unique_lock lock(mutex);
    ready = true;
    std::notify_all_at_thread_exit(changed, std::move(lock));
  });
  {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return ready; });
    assert(gone == 3);
  }
  c.join();
}
