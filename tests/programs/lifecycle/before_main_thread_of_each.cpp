// Two global objects with a thread each, as thread-local counters see them.
// expect: verified
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> sum;
static thread_local int own;

struct Thread {
  std::thread thread{[] {
    ++own;
    sum += own;
  }};
  ~Thread() { thread.join(); }
};
struct Checker {
  ~Checker() { assert(sum == 2); }
};
static Checker checker;
static Thread first, second;

int main() { assert(own == 0); }
