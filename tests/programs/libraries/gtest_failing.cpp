// A test of GoogleTest that fails under one schedule: the status of the program says so.
// cflags: -lgtest -lgtest_main -lpthread
// expect: finding exit
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

TEST(Counter, LosesNothing) {
  std::atomic<int> x = 0;
  std::thread a([&] { x = x + 1; }), b([&] { x = x + 1; });
  a.join();
  b.join();
  EXPECT_EQ(x, 2);
}
