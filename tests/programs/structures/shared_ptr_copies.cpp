// Two threads drop copies of a shared_ptr: the last destroys, once, and sees all writes.
// expect: verified
#include <cassert>
#include <memory>
#include <thread>

long destroyed = 0;
struct Object {
  long a = 0, b = 0;
  ~Object() {
    assert(a == 1 && b == 2);
    ++destroyed;
  }
};

int main() {
  auto p = std::make_shared<Object>();
  std::thread s([p]() mutable {
    p->a = 1;
    p.reset();
  });
  std::thread t([p = std::move(p)]() mutable {
    const auto copy = p;
    p.reset();
    copy->b = 2;
  });
  s.join();
  t.join();
  assert(destroyed == 1);
}
