// The owner is taken out of its place in two steps: both threads can get it.
// expect: finding double-free or data-race
#include <atomic>
#include <thread>

struct Object {
  long value = 1;
};
std::atomic<Object*> current = new Object;

void take() {
  Object* mine = current.load();
  current.store(nullptr);
  delete mine;
}

int main() {
  std::thread a(take), b(take);
  a.join();
  b.join();
}
