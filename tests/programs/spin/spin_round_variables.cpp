// Rounds leave something in variables that end with them, and in those of functions that they call:
// the same loop with none needs as many runs.
// expect: verified optimal=1 observers=1
#include <atomic>
#include <thread>

std::atomic<int> ready{0};

struct Look {
  const std::atomic<int>* at;
  bool operator()() const { return at->load() == 3; }
};

[[gnu::noinline]] bool look(const Look& look) { return look(); }
[[gnu::noinline]] bool look_at_copy(Look copy) { return look(copy); }

int main() {
  std::thread other([] {
    ready = 1;
    ready = 2;
    ready = 3;
  });
  for (;;) {
    const Look here{&ready};
    if (look_at_copy(here) && look(here)) break;
  }
  other.join();
}
