// bounded-queue.cpp, with a condition for each kind of waiting thread.
// expect: verified
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

std::mutex mutex;
std::condition_variable filled, emptied;
std::optional<int> slot;

void put(int item) {
  std::unique_lock lock(mutex);
  emptied.wait(lock, [] { return !slot; });
  slot = item;
  filled.notify_one();
}

int take() {
  std::unique_lock lock(mutex);
  filled.wait(lock, [] { return slot.has_value(); });
  const int item = *slot;
  slot.reset();
  emptied.notify_one();
  return item;
}

int main() {
  std::thread a(take), b(take);
  put(1);
  put(2);
  a.join();
  b.join();
}
