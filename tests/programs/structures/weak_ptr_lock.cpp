// A weak_ptr is locked in time or not: either it keeps the object, or there is none.
// expect: verified
#include <cassert>
#include <memory>
#include <thread>

struct Object {
  long value = 3;
  ~Object() { value = 0; }
};

int main() {
  auto owner = std::make_shared<Object>();
  std::thread a([weak = std::weak_ptr<Object>(owner)] {
    if (const auto p = weak.lock()) assert(p->value == 3);
  });
  owner.reset();
  a.join();
}
