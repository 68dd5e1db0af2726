// A queue with room for one item. Consumers and producers wait on the same condition, and
// notify_one wakes either: if a consumer wakes the other consumer, while the producer waits for
// room, the wake-up is lost and none continues. bounded-queue-fixed.cpp has a condition for each.
// expect: finding deadlock line 16
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

std::mutex mutex;
std::condition_variable changed;
std::optional<int> slot;

void put(int item) {
  std::unique_lock lock(mutex);
  changed.wait(lock, [] { return !slot; });
  slot = item;
  changed.notify_one();
}

int take() {
  std::unique_lock lock(mutex);
  changed.wait(lock, [] { return slot.has_value(); });
  const int item = *slot;
  slot.reset();
  changed.notify_one();
  return item;
}

int main() {
  std::thread a(take), b(take);
  put(1);
  put(2);
  a.join();
  b.join();
}
