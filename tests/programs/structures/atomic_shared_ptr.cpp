// An atomic shared_ptr that two threads exchange: every object goes, once.
// expect: verified
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

std::atomic<int> alive = 0;
struct Object {
  Object() { ++alive; }
  ~Object() { --alive; }
};

int main() {
  {
    std::atomic<std::shared_ptr<Object>> current(std::make_shared<Object>());
    std::thread a([&] { current.store(std::make_shared<Object>()); });
    const auto old = current.exchange(std::make_shared<Object>());
    assert(old != nullptr);
    a.join();
  }
  assert(alive == 0);
}
