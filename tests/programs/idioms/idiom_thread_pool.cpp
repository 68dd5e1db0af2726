// A pool of threads that hands back futures; its destructor lets the workers finish what is there.
// expect: verified
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <queue>
#include <stdexcept>
#include <thread>
#include <type_traits>
#include <vector>

class ThreadPool {
 public:
  explicit ThreadPool(std::size_t threads) {
    for (std::size_t i = 0; i < threads; ++i) workers_.emplace_back([this] { work(); });
  }
  ~ThreadPool() {
#ifdef BROKEN
    stop_ = true;
#else
    {
      std::unique_lock lock(mutex_);
      stop_ = true;
    }
#endif
    condition_.notify_all();
    for (std::thread& worker : workers_) worker.join();
  }
  template <class F, class... Args>
  auto enqueue(F&& f, Args&&... args) {
    using Result = std::invoke_result_t<F, Args...>;
    auto task = std::make_shared<std::packaged_task<Result()>>(
        std::bind(std::forward<F>(f), std::forward<Args>(args)...));
    std::future<Result> result = task->get_future();
    {
      std::unique_lock lock(mutex_);
      if (stop_) throw std::runtime_error("enqueue on stopped ThreadPool");
      tasks_.emplace([task] { (*task)(); });
    }
    condition_.notify_one();
    return result;
  }

 private:
  void work() {
    for (;;) {
      std::function<void()> task;
      {
        std::unique_lock lock(mutex_);
        condition_.wait(lock, [this] { return stop_ || !tasks_.empty(); });
        if (stop_ && tasks_.empty()) return;
        task = std::move(tasks_.front());
        tasks_.pop();
      }
      task();
    }
  }
  std::vector<std::thread> workers_;
  std::queue<std::function<void()>> tasks_;
  std::mutex mutex_;
  std::condition_variable condition_;
#ifdef BROKEN
  std::atomic<bool> stop_ = false;
#else
  bool stop_ = false;
#endif
};

int main() {
  int sum = 0;
  {
    ThreadPool pool(1);
    auto square = pool.enqueue([](int x) { return x * x; }, 3);
    auto fails = pool.enqueue([]() -> int { throw std::out_of_range("no"); });
    sum += square.get();
    try {
      fails.get();
    } catch (const std::out_of_range&) {
      sum += 1;
    }
  }
  assert(sum == 10);
}
