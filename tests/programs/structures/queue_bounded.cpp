// A slot with a condition for each side: one wake-up is enough.
// expect: verified
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex m;
std::condition_variable emptied, filled;
bool full = false;

void put() {
  std::unique_lock lock(m);
  emptied.wait(lock, [] { return !full; });
  full = true;
  filled.notify_one();
}
void take() {
  std::unique_lock lock(m);
  filled.wait(lock, [] { return full; });
  full = false;
  emptied.notify_one();
}

int main() {
  std::thread a(take), b(take);
  put();
  put();
  a.join();
  b.join();
}
