// A jthread is asked to stop, and joined, by its destructor.
// expect: verified
#include <cassert>
#include <stop_token>
#include <thread>

int main() {
  bool stopped = false;
  {
    std::jthread a([&](std::stop_token stop) {
      while (!stop.stop_requested()) std::this_thread::yield();
      stopped = true;
    });
  }
  assert(stopped);
}
