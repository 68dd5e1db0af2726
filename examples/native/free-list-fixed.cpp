// free-list.cpp, with a version beside the number of the first buffer: it is another one each time.
// expect: verified
#include <atomic>
#include <cassert>
#include <thread>

struct Head {
  int buffer;
  unsigned version;
};

constexpr int none = 2;
std::atomic<int> following[] = {1, none};
std::atomic<Head> first = Head{0, 0};

int take() {
  Head head = first;
  while (head.buffer != none &&
         !first.compare_exchange_weak(head, {following[head.buffer], head.version + 1})) {
  }
  return head.buffer;
}

void put(int buffer) {
  Head head = first;
  do {
    following[buffer] = head.buffer;
  } while (!first.compare_exchange_weak(head, {buffer, head.version + 1}));
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
