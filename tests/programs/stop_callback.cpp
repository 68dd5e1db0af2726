// A stop callback is called once, by who asks first; who comes second is told so.
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
