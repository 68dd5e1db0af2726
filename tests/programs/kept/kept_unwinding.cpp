// Threads take steps while pthread_exit, or an exception, leaves their functions; thread-local
// objects are destroyed at the end.
// expect: verified
#include <pthread.h>

#include <atomic>
#include <cassert>
#include <stdexcept>
#include <thread>

std::atomic<int> x = 0;
thread_local int depth = 0;

struct Guard {
  int level;
  explicit Guard(int n) : level(n) { depth = n; }
  ~Guard() {
    assert(depth == level);
    x.fetch_add(1);
    depth = level - 1;
  }
};
struct Last {
  int used = 0;
  ~Last() {
    assert(used == 1 && depth == 0);
    x.fetch_add(1);
  }
};
thread_local Last last;

void* exits(void*) {
  last.used = 1;
  Guard one(1), two(2);
  pthread_exit(nullptr);
}

void throws() {
  Guard one(1), two(2);
  throw std::runtime_error("up");
}

void catches() {
  last.used = 1;
  try {
    throws();
  } catch (const std::exception& e) {
    x.fetch_add(1);
    assert(e.what()[0] == 'u');
    try {
      throw 7;
    } catch (int n) {
      x.fetch_add(1);
      assert(n == 7);
    }
    assert(e.what()[1] == 'p');
  }
}

int main() {
  pthread_t a;
  pthread_create(&a, nullptr, exits, nullptr);
  std::thread b(catches);
  pthread_join(a, nullptr);
  b.join();
  assert(x == 8);
}
