// One thread uses atomic_ref, the other does not: that is a race.
// expect: finding data-race
#include <atomic>
#include <thread>

long x = 0;

int main() {
  std::thread a([] { std::atomic_ref<long>(x).fetch_add(1); });
  x = x + 1;
  a.join();
}
