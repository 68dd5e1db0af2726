// Another thread takes the pointer away.
// expect: finding signal line here
#include <atomic>
#include <thread>

std::atomic<long*> p;

int main() {
  long value = 0;
  p = &value;
  std::thread a([] { p = nullptr; });
  *p.load() = 1;  // here
  a.join();
}
