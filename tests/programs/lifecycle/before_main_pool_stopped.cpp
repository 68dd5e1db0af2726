// The same, but to stop comes before the jobs: some are never done.
// expect: finding assertion line here
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

class Pool {
 public:
  Pool() : thread_([this] { work(); }) {}
  ~Pool() {
    {
      std::lock_guard hold(mutex_);
      stopped_ = true;
    }
    changed_.notify_one();
    thread_.join();
    assert(done_ == 1);  // here
  }
  void add() {
    std::lock_guard hold(mutex_);
    ++jobs_;
    changed_.notify_one();
  }

 private:
  void work() {
    std::unique_lock hold(mutex_);
    for (;;) {
      changed_.wait(hold, [this] { return jobs_ > 0 || stopped_; });
      if (stopped_) return;
      --jobs_;
      ++done_;
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  int jobs_ = 0, done_ = 0;
  bool stopped_ = false;
  std::thread thread_;
};
static Pool pool;

int main() { pool.add(); }
