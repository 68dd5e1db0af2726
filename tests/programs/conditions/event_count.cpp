// An event count: who wants to wait notes the number, looks once more, and sleeps only while the
// number is the same.
// expect: verified
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex m;
std::condition_variable c;
std::atomic<unsigned> epoch = 0;
std::atomic<bool> ready = false;

void wait(unsigned seen) {
  std::unique_lock lock(m);
  c.wait(lock, [seen] { return epoch != seen; });
}
void notify() {
  {
    std::lock_guard lock(m);
    ++epoch;
  }
  c.notify_all();
}

int main() {
  std::thread a([] {
    ready = true;
    notify();
  });
  while (true) {
    const unsigned seen = epoch;
    if (ready) break;
    wait(seen);
  }
  a.join();
}
