// A loop that sleeps and yields between its looks.
// expect: verified
#include <atomic>
#include <chrono>
#include <thread>

std::atomic<bool> ready = false, seen = false;

int main() {
  std::thread a([] {
    ready = true;
    while (!seen) std::this_thread::yield();
  });
  while (!ready) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  seen = true;
  a.join();
}
