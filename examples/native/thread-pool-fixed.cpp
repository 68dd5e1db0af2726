// thread-pool.cpp, with a worker that stops when there is nothing left to do.
// expect: verified
#include <cassert>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <queue>
#include <thread>

class Pool {
 public:
  ~Pool() {
    {
      std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    changed_.notify_all();
    worker_.join();
  }
  void submit(std::function<void()> task) {
    std::lock_guard lock(mutex_);
    tasks_.push(std::move(task));
    changed_.notify_one();
  }

 private:
  void work() {
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait(lock, [this] { return stopping_ || !tasks_.empty(); });
      if (tasks_.empty()) return;
      const auto task = std::move(tasks_.front());
      tasks_.pop();
      lock.unlock();
      task();
      lock.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::queue<std::function<void()>> tasks_;
  bool stopping_ = false;
  std::thread worker_{&Pool::work, this};
};

int main() {
  int saved = 0;
  Pool{}.submit([&] { ++saved; });
  assert(saved == 1);
}
