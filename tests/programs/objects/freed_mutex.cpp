// The flag is set before the mutex is unlocked for the last time: then it may be gone.
// expect: finding use-after-free or data-race
#include <atomic>
#include <mutex>
#include <thread>

struct Guarded {
  std::mutex m;
  long value = 0;
};
std::atomic<bool> done;

int main() {
  auto* guarded = new Guarded;
  std::thread a([guarded] {
    guarded->m.lock();
    done = true;
    guarded->m.unlock();
  });
  if (done) {
    delete guarded;
    a.join();
  } else {
    a.join();
    delete guarded;
  }
}
