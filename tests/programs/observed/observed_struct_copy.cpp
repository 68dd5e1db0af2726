// The order of two atomic stores is seen by a thread that copies the whole, under a lock.
// expect: finding assertion line here
// cflags: -std=c++20
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

struct Settings {
  int level, limit;
};
Settings settings;
int done;
std::mutex mutex;

void set(int level) {
  std::atomic_ref(settings.level).store(level, std::memory_order_relaxed);
  std::lock_guard guard(mutex);
  ++done;
}

int main() {
  std::jthread one(set, 1), two(set, 2);
  std::jthread reader([] {
    std::lock_guard guard(mutex);
    if (done < 2) return;
    const Settings copy = settings;
    assert(copy.level == 2);  // here
  });
}
