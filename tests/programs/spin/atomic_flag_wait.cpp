// An atomic_flag with test, wait and notify_all.
// expect: verified
#include <atomic>
#include <cassert>
#include <thread>

std::atomic_flag go;
long data = 0;

int main() {
  std::thread a([] {
    go.wait(false);
    assert(go.test() && data == 2);
  });
  data = 2;
  assert(!go.test_and_set());
  go.notify_all();
  a.join();
}
