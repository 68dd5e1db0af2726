// The flag is set without the lock: between the look at it and the wait, the signal is lost. The
// members of a local variable have names, where functions on it are inlined too.
// expect: finding deadlock line 18
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

class Gate {
 public:
  void open() {
    opened_ = true;
    condition_.notify_all();
  }
  void pass() {
    std::unique_lock lock(mutex_);
    while (!opened_) condition_.wait(lock);
  }

 private:
  std::mutex mutex_;
  std::condition_variable condition_;
  std::atomic<bool> opened_ = false;
};

int main() {
  Gate gate;
  std::vector<std::thread> workers;
  for (int k = 0; k < 2; ++k) workers.emplace_back([&] { gate.pass(); });
  gate.open();
  for (auto& w : workers) w.join();
}
