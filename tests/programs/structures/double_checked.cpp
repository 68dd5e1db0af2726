// Double-checked locking, with an atomic pointer.
// expect: verified
#include <atomic>
#include <cassert>
#include <memory>
#include <mutex>
#include <thread>

struct Object {
  long value = 7;
};
std::mutex m;
std::unique_ptr<Object> owner;
std::atomic<Object*> current = nullptr;

Object& instance() {
  Object* p = current.load(std::memory_order_acquire);
  if (p == nullptr) {
    std::lock_guard lock(m);
    p = current.load(std::memory_order_relaxed);
    if (p == nullptr) {
      owner = std::make_unique<Object>();
      p = owner.get();
      current.store(p, std::memory_order_release);
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
