// A test of a queue with GoogleTest. Each function of the queue is safe by itself; a consumer that
// calls one after the other is not: two consumers can both get the first item, and drop the second.
// expect: finding terminate line 44
// cflags: -lgtest_main -lgtest
// args: --gtest_throw_on_failure --gtest_catch_exceptions=0
#include <gtest/gtest.h>

#include <mutex>
#include <queue>
#include <thread>

class Queue {
 public:
  void push(int item) {
    std::lock_guard lock(mutex_);
    items_.push(item);
  }
  int front() {
    std::lock_guard lock(mutex_);
    return items_.front();
  }
  void pop() {
    std::lock_guard lock(mutex_);
    items_.pop();
  }

 private:
  std::mutex mutex_;
  std::queue<int> items_;
};

TEST(Queue, GivesEachItemToOneConsumer) {
  Queue queue;
  queue.push(1);
  queue.push(2);
  int taken[2] = {};
  const auto consume = [&](int& item) {
    item = queue.front();
    queue.pop();
  };
  std::thread a([&] { consume(taken[0]); }), b([&] { consume(taken[1]); });
  a.join();
  b.join();
  EXPECT_EQ(taken[0] + taken[1], 3);
}
