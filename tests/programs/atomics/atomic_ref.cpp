// Plain variables, used through atomic_ref while there are threads.
// expect: verified optimal=2 observers=2
#include <atomic>
#include <cassert>
#include <thread>

int main() {
  long x = 0;
  const auto add = [&x](long n) { std::atomic_ref<long>(x).fetch_add(n); };
  std::thread a(add, 1), b(add, 2);
  a.join();
  b.join();
  assert(x == 3);
}
