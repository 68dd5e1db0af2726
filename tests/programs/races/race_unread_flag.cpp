// The flag is looked at, and the data is read although it is not set.
// expect: finding data-race
#include <atomic>
#include <thread>

long data = 0;
std::atomic<bool> ready = false;

int main() {
  std::thread a([] {
    data = 42;
    ready.store(true);
  });
  long seen = 42;
  if (!ready.load()) seen = data;
  a.join();
  return seen > 42;
}
