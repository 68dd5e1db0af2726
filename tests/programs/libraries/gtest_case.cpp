// A test of GoogleTest, linked with the library as it is.
// cflags: -lgtest -lgtest_main -lpthread
// expect: verified
// allow: leak
#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

TEST(Counter, LosesNothingUnderAMutex) {
  std::mutex m;
  std::vector<int> seen;
  const auto add = [&](int value) {
    std::lock_guard lock(m);
    seen.push_back(value);
  };
  std::thread a(add, 1), b(add, 2);
  a.join();
  b.join();
  ASSERT_EQ(seen.size(), 2U);
  EXPECT_EQ(seen[0] + seen[1], 3);
}

TEST(Counter, LosesNothingIfAtomic) {
  std::atomic<int> x = 0;
  std::thread a([&] { ++x; }), b([&] { ++x; });
  a.join();
  b.join();
  EXPECT_EQ(x, 2);
}
