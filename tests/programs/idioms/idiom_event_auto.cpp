// An event that lets one thread through each time it is set, made of a mutex and a condition
// variable.
// expect: verified
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

class AutoEvent {
 public:
  void set() {
    {
      std::lock_guard guard(mutex_);
      set_ = true;
    }
    changed_.notify_one();
  }
  void wait() {
    std::unique_lock lock(mutex_);
#ifdef BROKEN
    if (!set_) changed_.wait(lock);
#else
    while (!set_) changed_.wait(lock);
#endif
    set_ = false;
  }
  bool try_wait() {
    std::lock_guard guard(mutex_);
    return std::exchange(set_, false);
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool set_ = false;
};

AutoEvent turn;
int x = 0;

void add() {
  turn.wait();
  x = x + 1;
  turn.set();
}

int main() {
  std::thread a(add), b(add);
  turn.set();
  a.join();
  b.join();
  assert(x == 2 && turn.try_wait() && !turn.try_wait());
}
