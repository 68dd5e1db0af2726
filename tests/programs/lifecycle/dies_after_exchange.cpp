// The winner of the exchange kills the process, in a way that cannot be caught. What the exchange does
// depends on who came before: so the exploration asks for it before it plans such a run.
// expect: finding died
// options: --keep-going
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <thread>

static std::atomic<int> x{0};

static void die() {
  asm volatile("syscall"
               :
               : "a"(static_cast<long>(SYS_kill)), "D"(static_cast<long>(getpid())), "S"(9L)
               : "rcx", "r11", "memory");
}

int main() {
  std::thread a([] { x.store(1); });
  std::thread b([] {
    int expected = 0;
    if (x.compare_exchange_strong(expected, 2)) die();
  });
  a.join();
  b.join();
}
