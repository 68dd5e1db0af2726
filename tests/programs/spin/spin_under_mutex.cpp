// Polling: the flag is plain, and looked at under a mutex.
// expect: verified
#include <cassert>
#include <mutex>
#include <thread>

std::mutex m;
bool ready = false;
long data = 0;

bool poll() {
  std::lock_guard lock(m);
  return ready;
}

int main() {
  std::thread a([] {
    data = 3;
    std::lock_guard lock(m);
    ready = true;
  });
  while (!poll()) std::this_thread::yield();
  assert(data == 3);
  a.join();
}
