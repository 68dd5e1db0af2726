// Each thread has its own, with its destructor; the main thread's is another.
// expect: verified optimal=2 observers=2
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<long> destroyed;
struct Counted {
  long value = 7;
  ~Counted() { destroyed.fetch_add(1); }
};
thread_local Counted counted;
thread_local long plain = 3;

int main() {
  const auto work = [](long n) {
    counted.value += n;
    plain += n;
    assert(counted.value == 7 + n && plain == 3 + n);
  };
  std::thread a(work, 1), b(work, 2);
  work(5);
  a.join();
  b.join();
  assert(destroyed == 2);
}
