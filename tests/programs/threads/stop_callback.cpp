// A stop callback is called once, by the thread that asks first; the second one learns so.
// expect: verified
#include <atomic>
#include <cassert>
#include <stop_token>
#include <thread>

int main() {
  std::stop_source source;
  std::atomic<int> called = 0, asked = 0;
  {
    std::stop_callback callback(source.get_token(), [&] { ++called; });
    std::thread a([&] { asked += source.request_stop(); });
    asked += source.request_stop();
    a.join();
  }
  assert(called == 1 && asked == 1);
}
