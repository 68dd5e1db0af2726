// The reader does not look again: what it says may be too late.
// expect: finding use-after-free or data-race
#include <atomic>
#include <thread>

struct Object {
  long value;
};
std::atomic<Object*> current = new Object{1};
std::atomic<Object*> hazard = nullptr;

int main() {
  long seen = 0;
  std::thread reader([&seen] {
    Object* p = current;
    hazard = p;
    seen = p->value;
    hazard = nullptr;
  });
  Object* old = current.exchange(new Object{2});
  while (hazard == old) {
  }
  delete old;
  reader.join();
  delete current;
  return seen > 2;
}
