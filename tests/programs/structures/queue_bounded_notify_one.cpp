// A slot with one condition for both sides: the only wake-up can go to the wrong one.
// expect: finding deadlock
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex m;
std::condition_variable changed;
bool full = false;

void put() {
  std::unique_lock lock(m);
  changed.wait(lock, [] { return !full; });
  full = true;
  changed.notify_one();
}
void take() {
  std::unique_lock lock(m);
  changed.wait(lock, [] { return full; });
  full = false;
  changed.notify_one();
}

int main() {
  std::thread a(take), b(take);
  put();
  put();
  a.join();
  b.join();
}
