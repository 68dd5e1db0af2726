// Two threads keep one promise: one of them is told that it comes too late, and does not listen.
// expect: finding terminate
#include <future>
#include <thread>

int main() {
  std::promise<int> promise;
  std::thread a([&] { promise.set_value(1); }), b([&] { promise.set_value(2); });
  a.join();
  b.join();
}
