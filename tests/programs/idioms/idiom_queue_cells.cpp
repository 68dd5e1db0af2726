// Vyukov's bounded queue for many producers and consumers: a number in each cell says whose turn it
// is, and positions are claimed by compare-exchange.
// expect: verified
#include <atomic>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <utility>

template <typename T, std::size_t Size>
class Queue {
  static_assert(Size >= 2 && (Size & (Size - 1)) == 0);

 public:
  Queue() {
    for (std::size_t i = 0; i != Size; ++i) cells_[i].turn.store(i, std::memory_order_relaxed);
  }
  bool enqueue(T value) {
    Cell* cell;
    std::size_t at = enqueue_.load(std::memory_order_relaxed);
    for (;;) {
      cell = &cells_[at & (Size - 1)];
      const std::size_t turn = cell->turn.load(std::memory_order_acquire);
      const auto ahead = (std::intptr_t)turn - (std::intptr_t)at;
      if (ahead < 0) return false;
      if (ahead > 0)
        at = enqueue_.load(std::memory_order_relaxed);
      else if (claim(enqueue_, at))
        break;
    }
    cell->value = std::move(value);
    cell->turn.store(at + 1, std::memory_order_release);
    return true;
  }
  bool dequeue(T& value) {
    Cell* cell;
    std::size_t at = dequeue_.load(std::memory_order_relaxed);
    for (;;) {
      cell = &cells_[at & (Size - 1)];
      const std::size_t turn = cell->turn.load(std::memory_order_acquire);
      const auto ahead = (std::intptr_t)turn - (std::intptr_t)(at + 1);
      if (ahead < 0) return false;
      if (ahead > 0)
        at = dequeue_.load(std::memory_order_relaxed);
      else if (claim(dequeue_, at))
        break;
    }
    value = std::move(cell->value);
    cell->turn.store(at + Size, std::memory_order_release);
    return true;
  }

 private:
  static constexpr std::size_t line = 64;
  struct Cell {
    std::atomic<std::size_t> turn;
    T value;
  };
  static bool claim(std::atomic<std::size_t>& position, std::size_t& at) {
#ifdef BROKEN
    position.store(at + 1, std::memory_order_relaxed);
    return true;
#else
    return position.compare_exchange_weak(at, at + 1, std::memory_order_relaxed);
#endif
  }

  alignas(line) Cell cells_[Size];
  alignas(line) std::atomic<std::size_t> enqueue_{0};
  alignas(line) std::atomic<std::size_t> dequeue_{0};
};

Queue<int, 2> queue;

int main() {
  int sum = 0, value = 0;
  std::thread producers[2], consumer;
  for (int i = 0; i < 2; ++i) producers[i] = std::thread([i] { assert(queue.enqueue(i + 1)); });
  consumer = std::thread([&] {
    while (!queue.dequeue(sum)) std::this_thread::yield();
  });
  for (std::thread& producer : producers) producer.join();
  consumer.join();
  assert(queue.dequeue(value));
  assert(sum + value == 3 && !queue.dequeue(value));
}
