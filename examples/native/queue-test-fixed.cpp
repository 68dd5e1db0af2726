// queue-test.cpp, with one function that gets the first item and removes it.
// expect: verified
// allow: leak
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
  int pop() {
    std::lock_guard lock(mutex_);
    const int item = items_.front();
    items_.pop();
    return item;
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
  const auto consume = [&](int& item) { item = queue.pop(); };
  std::thread a([&] { consume(taken[0]); }), b([&] { consume(taken[1]); });
  a.join();
  b.join();
  EXPECT_EQ(taken[0] + taken[1], 3);
}
