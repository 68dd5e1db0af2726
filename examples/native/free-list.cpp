// Buffers are kept in a lock-free list, by number. While one thread is about to take the first,
// another takes two and puts the first back. It is the first again, and the compare-exchange
// succeeds, but what came after it is in use: a buffer gets two users (the ABA problem).
// expect: finding assertion line 36
#include <atomic>
#include <cassert>
#include <thread>

constexpr int none = 2;
std::atomic<int> following[] = {1, none};
std::atomic<int> first = 0;

int take() {
  int buffer = first;
  while (buffer != none && !first.compare_exchange_weak(buffer, following[buffer])) {
  }
  return buffer;
}

void put(int buffer) {
  int old = first;
  do {
    following[buffer] = old;
  } while (!first.compare_exchange_weak(old, buffer));
}

int main() {
  std::thread other([] { take(); });
  const int a = take();
  const int b = take();
  if (a != none) put(a);
  other.join();

  // What is in use must not be in the list.
  const int c = take();
  assert(c == none || c != b);
}
