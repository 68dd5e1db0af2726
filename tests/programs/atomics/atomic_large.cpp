// An atomic too large for any instruction, which libatomic guards with a lock of its own.
// cflags: -latomic
// expect: verified optimal=6 observers=6
#include <atomic>
#include <cassert>
#include <thread>

struct Large {
  long a, b, c;
};
std::atomic<Large> x(Large{0, 0, 0});

int main() {
  std::thread writer([] {
    x.store(Large{1, 1, 1});
    x.store(Large{2, 2, 2});
  });
  const Large first = x.load();
  assert(first.a == first.b && first.b == first.c);
  const Large second = x.load();
  assert(first.a <= second.a && second.a == second.c);
  writer.join();
}
