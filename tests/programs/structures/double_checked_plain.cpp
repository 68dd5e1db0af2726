// Double-checked locking with a plain pointer.
// expect: finding data-race
#include <cassert>
#include <memory>
#include <mutex>
#include <thread>

struct Object {
  long value = 7;
};
std::mutex m;
std::unique_ptr<Object> owner;
Object* current = nullptr;

Object& instance() {
  Object* p = current;
  if (p == nullptr) {
    std::lock_guard lock(m);
    p = current;
    if (p == nullptr) {
      owner = std::make_unique<Object>();
      p = owner.get();
      current = p;
    }
  }
  return *p;
}
void use() { assert(instance().value == 7); }

int main() {
  std::thread a(use), b(use);
  a.join();
  b.join();
}
