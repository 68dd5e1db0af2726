// Vyukov's ring for many producers and consumers: each slot says whose turn it is.
// expect: verified
#include <atomic>
#include <cassert>
#include <thread>

struct Slot {
  std::atomic<unsigned> turn;
  long value = 0;
};
Slot ring[2] = {{0}, {1}};
std::atomic<unsigned> head = 0, tail = 0;

bool put(long value) {
  unsigned at = tail.load(std::memory_order_relaxed);
  while (true) {
    Slot& slot = ring[at % 2];
    const int behind = static_cast<int>(slot.turn.load(std::memory_order_acquire) - at);
    if (behind < 0) return false;
    if (behind > 0) {
      at = tail.load(std::memory_order_relaxed);
    } else if (tail.compare_exchange_strong(at, at + 1, std::memory_order_relaxed)) {
      slot.value = value;
      slot.turn.store(at + 1, std::memory_order_release);
      return true;
    }
  }
}
long take() {
  unsigned at = head.load(std::memory_order_relaxed);
  while (true) {
    Slot& slot = ring[at % 2];
    const int behind = static_cast<int>(slot.turn.load(std::memory_order_acquire) - (at + 1));
    if (behind < 0) return 0;
    if (behind > 0) {
      at = head.load(std::memory_order_relaxed);
    } else if (head.compare_exchange_strong(at, at + 1, std::memory_order_relaxed)) {
      const long value = slot.value;
      slot.turn.store(at + 2, std::memory_order_release);
      return value;
    }
  }
}

int main() {
  std::thread a(put, 1);
  assert(put(2));
  long sum = take();
  a.join();
  while (const long value = take()) sum += value;
  assert(sum == 3);
}
