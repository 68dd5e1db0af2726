// A static variable of a function, and call_once: each is initialised by one thread.
// expect: verified
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

std::atomic<long> made, called;
std::once_flag flag;

struct Made {
  long value = 0;
  Made() {
    made.fetch_add(1);
    value = 1;
  }
};
Made& instance() {
  static Made it;
  return it;
}
void work() {
  assert(instance().value == 1);
  std::call_once(flag, [] { called.fetch_add(1); });
  assert(called == 1);
}

int main() {
  std::thread a(work), b(work);
  a.join();
  b.join();
  assert(made == 1 && called == 1);
}
