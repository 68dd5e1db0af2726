// A counting semaphore: two are given at once, and taken one by one.
// expect: verified
#include <cassert>
#include <semaphore>
#include <thread>

std::counting_semaphore<3> items(0);
long stock = 0;

int main() {
  std::thread a([] {
    items.acquire();
    items.acquire();
    assert(stock == 2);
  });
  stock = 2;
  items.release(2);
  a.join();
  assert(!items.try_acquire());
}
