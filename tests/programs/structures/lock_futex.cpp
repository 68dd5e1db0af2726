// A lock that sleeps in the kernel: taken, or taken with a thread asleep.
// expect: verified
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> state = 0;  // 1: held, 2: held, and a thread may sleep
long x = 0;

void add() {
  int seen = 0;
  if (!state.compare_exchange_strong(seen, 1))
    while (state.exchange(2) != 0) syscall(SYS_futex, &state, FUTEX_WAIT_PRIVATE, 2, nullptr);
  x = x + 1;
  if (state.exchange(0) == 2) syscall(SYS_futex, &state, FUTEX_WAKE_PRIVATE, 1);
}

int main() {
  std::thread a(add), b(add);
  a.join();
  b.join();
  assert(x == 2);
}
