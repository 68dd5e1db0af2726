// A lock that forgets, when it is taken, that a thread may sleep: then no thread is woken.
// expect: finding deadlock
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <thread>

std::atomic<int> state = 1;  // main holds it

void unlock() {
  if (state.exchange(0) == 2) syscall(SYS_futex, &state, FUTEX_WAKE_PRIVATE, 1);
}
void enter() {
  int seen = 0;
  while (!state.compare_exchange_strong(seen, 1)) {
    if (seen == 2 || state.compare_exchange_strong(seen, 2))
      syscall(SYS_futex, &state, FUTEX_WAIT_PRIVATE, 2, nullptr);
    seen = 0;
  }
  unlock();
}

int main() {
  std::thread a(enter), b(enter);
  unlock();
  a.join();
  b.join();
}
