// A thread ends the process after its first step, while others race: their reversals must not come
// after a step after which no thread continues.
// expect: finding died
// options: --keep-going
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int x, y;

static void* ends(void* unused) {
  if (atomic_load(&y) == 0)
    __asm__ volatile("syscall" : : "a"((long)SYS_exit_group), "D"(3L) : "rcx", "r11", "memory");
  return unused;
}
static void* adds(void* unused) {
  atomic_fetch_add(&x, 1);
  atomic_fetch_add(&x, 1);
  return unused;
}
static void* writes(void* unused) {
  atomic_store(&x, 5);
  atomic_store(&y, 1);
  return unused;
}

int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], 0, adds, 0);
  pthread_create(&t[1], 0, writes, 0);
  pthread_create(&t[2], 0, ends, 0);
  for (int k = 0; k < 3; ++k) pthread_join(t[k], 0);
}
