// Vyukov's ring of two slots: each of N producers puts a value, if there is room, and each of N
// consumers takes one, if there is one.
#include <atomic>
#include <cassert>
#include <thread>
#include <vector>

#ifndef N
#define N 2
#endif

constexpr unsigned slots = 2;
struct Slot {
  std::atomic<unsigned> turn;
  int value = 0;
};
Slot ring[slots] = {{0}, {1}};
std::atomic<unsigned> head = 0, tail = 0;

bool put(int value) {
  unsigned at = tail.load(std::memory_order_relaxed);
  while (true) {
    Slot& slot = ring[at % slots];
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
int take() {
  unsigned at = head.load(std::memory_order_relaxed);
  while (true) {
    Slot& slot = ring[at % slots];
    const int behind = static_cast<int>(slot.turn.load(std::memory_order_acquire) - (at + 1));
    if (behind < 0) return 0;
    if (behind > 0) {
      at = head.load(std::memory_order_relaxed);
    } else if (head.compare_exchange_strong(at, at + 1, std::memory_order_relaxed)) {
      const int value = slot.value;
      slot.turn.store(at + slots, std::memory_order_release);
      return value;
    }
  }
}

int main() {
  int put_sum[N] = {}, taken[N] = {};
  std::vector<std::thread> threads;
  for (int i = 0; i < N; ++i) {
    threads.emplace_back([&, i] { put_sum[i] = put(i + 1) ? i + 1 : 0; });
    threads.emplace_back([&, i] { taken[i] = take(); });
  }
  for (std::thread& t : threads) t.join();
  int left = 0;
  for (const int value : put_sum) left += value;
  for (const int value : taken) left -= value;
  while (const int value = take()) left -= value;
  assert(left == 0);
}
