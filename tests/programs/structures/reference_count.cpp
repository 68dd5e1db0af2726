// The last owner deletes; each has released what it did, and the last acquires it.
// expect: verified optimal=2 observers=2
#include <atomic>
#include <thread>

struct Counted {
  std::atomic<int> owners = 2;
  long parts[2] = {};
};

void drop(Counted* object, int i) {
  object->parts[i] = 1;
  if (object->owners.fetch_sub(1, std::memory_order_acq_rel) == 1) delete object;
}

int main() {
  auto* object = new Counted;
  std::thread a(drop, object, 0);
  drop(object, 1);
  a.join();
}
