// A release on each decrement, and one acquire fence where it matters, before the deletion.
// expect: verified
#include <atomic>
#include <thread>

struct Counted {
  std::atomic<int> owners = 2;
  long parts[2] = {};
};

void drop(Counted* object, int i) {
  object->parts[i] = 1;
  if (object->owners.fetch_sub(1, std::memory_order_release) != 1) return;
  std::atomic_thread_fence(std::memory_order_acquire);
  delete object;
}

int main() {
  auto* object = new Counted;
  std::thread a(drop, object, 0);
  drop(object, 1);
  a.join();
}
