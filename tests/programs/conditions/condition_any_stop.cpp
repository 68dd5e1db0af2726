// A wait that a request to stop ends: no wake-up is lost, whenever it comes.
// expect: verified
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

int main() {
  std::mutex m;
  std::condition_variable_any c;
  std::stop_source source;
  std::thread a([&] {
    std::unique_lock lock(m);
    assert(!c.wait(lock, source.get_token(), [] { return false; }));
  });
  source.request_stop();
  a.join();
}
