// A ring for one producer and one consumer, each of which keeps the index of the other.
// options: --max-steps 3000
// expect: verified
#include <atomic>
#include <cassert>
#include <thread>

constexpr unsigned size = 2;
int slots[size];
std::atomic<unsigned> head{0}, tail{0};
unsigned cached_head, cached_tail;

void push(int value) {
  const unsigned t = tail.load(std::memory_order_relaxed);
  while (t - cached_head == size) cached_head = head.load(std::memory_order_acquire);
  slots[t % size] = value;
  tail.store(t + 1, std::memory_order_release);
}

int pop() {
  const unsigned h = head.load(std::memory_order_relaxed);
  while (cached_tail == h) cached_tail = tail.load(std::memory_order_acquire);
  const int value = slots[h % size];
  head.store(h + 1, std::memory_order_release);
  return value;
}

int main() {
  std::thread producer([] {
    for (int i = 1; i <= 4; ++i) push(i);
  });
  for (int i = 1; i <= 4; ++i) {
    const int value = pop();
    assert(value == i);
  }
  producer.join();
}
