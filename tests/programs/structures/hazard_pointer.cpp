// A reader says what it looks at, and looks again whether it is still there; who has replaced it
// waits until no thread says so, and deletes it.
// expect: verified
#include <atomic>
#include <cassert>
#include <thread>

struct Object {
  long value;
};
std::atomic<Object*> current = new Object{1};
std::atomic<Object*> hazard = nullptr;

int main() {
  std::thread reader([] {
    Object* p = nullptr;
    do {
      p = current;
      hazard = p;
    } while (p != current);
    assert(p->value == 1 || p->value == 2);
    hazard = nullptr;
  });
  Object* old = current.exchange(new Object{2});
  while (hazard == old) {
  }
  delete old;
  reader.join();
  delete current;
}
