// A bounded queue whose operations give up at a deadline, and which can be closed.
// options: --timeouts explore
// expect: verified
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

template <typename T>
class Queue {
 public:
  explicit Queue(std::size_t capacity) : capacity_(capacity) {}
  template <typename Rep, typename Period>
  bool put_for(T value, std::chrono::duration<Rep, Period> patience) {
    std::unique_lock lock(mutex_);
    const auto ready = [this] { return closed_ || items_.size() < capacity_; };
#ifdef BROKEN
    if (!ready()) not_full_.wait_for(lock, patience);
    if (closed_) return false;
#else
    if (!not_full_.wait_for(lock, patience, ready) || closed_) return false;
#endif
    items_.push_back(std::move(value));
    assert(items_.size() <= capacity_);
    lock.unlock();
    not_empty_.notify_one();
    return true;
  }
  template <typename Rep, typename Period>
  std::optional<T> take_for(std::chrono::duration<Rep, Period> patience) {
    std::unique_lock lock(mutex_);
    if (!not_empty_.wait_for(lock, patience, [this] { return closed_ || !items_.empty(); }) ||
        items_.empty())
      return std::nullopt;
    std::optional<T> out(std::move(items_.front()));
    items_.pop_front();
    lock.unlock();
    not_full_.notify_one();
    return out;
  }
  void close() {
    {
      std::lock_guard guard(mutex_);
      closed_ = true;
    }
    not_full_.notify_all();
    not_empty_.notify_all();
  }

 private:
  const std::size_t capacity_;
  std::deque<T> items_;
  bool closed_ = false;
  std::mutex mutex_;
  std::condition_variable not_full_, not_empty_;
};

int main() {
  using namespace std::chrono_literals;
  Queue<int> queue(1);
  int put = 0, taken = 0;
  std::thread producer([&] {
    for (int i = 1; i <= 2; ++i)
      if (queue.put_for(i, 10ms)) put += i;
    queue.close();
  });
  if (const auto value = queue.take_for(5ms)) taken += *value;
  while (const auto value = queue.take_for(1h)) taken += *value;
  producer.join();
  while (const auto value = queue.take_for(0ms)) taken += *value;
  assert(put == taken);
}
