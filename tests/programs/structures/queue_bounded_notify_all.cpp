// A slot with one condition for both sides, where all are woken.
// expect: verified
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
  changed.notify_all();
}
void take() {
  std::unique_lock lock(m);
  changed.wait(lock, [] { return full; });
  full = false;
  changed.notify_all();
}

int main() {
  std::thread a(take), b(take);
  put();
  put();
  a.join();
  b.join();
}
