// A cache that many read and one fills: each sees it whole.
// expect: verified
#include <cassert>
#include <mutex>
#include <shared_mutex>
#include <thread>

std::shared_mutex m;
long key = 0, value = 0;

void look_up() {
  std::shared_lock lock(m);
  assert(value == key * 10);
}
void fill(long k) {
  std::unique_lock lock(m);
  key = k;
  value = k * 10;
}

int main() {
  std::thread a(look_up), b(look_up), c(fill, 3);
  a.join();
  b.join();
  c.join();
  look_up();
}
