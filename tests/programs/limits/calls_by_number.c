// System calls by their numbers do what the functions do: nothing is left to be said.
// expect: verified optimal=1 observers=1
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static char* memory;

static void* use(void* unused) {
  memory[0] = 1;
  assert(syscall(SYS_gettid) != syscall(SYS_getpid));
  return unused;
}

int main(void) {
  memory = (char*)syscall(SYS_mmap, 0L, 4096L, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                          -1, 0L);
  assert(memory != MAP_FAILED && syscall(SYS_madvise, memory, 4096L, MADV_NORMAL) == 0);
  pthread_t t;
  pthread_create(&t, NULL, use, NULL);
  pthread_join(t, NULL);
  assert(memory[0] == 1);
  memory = (char*)syscall(SYS_mremap, memory, 4096L, 8192L, MREMAP_MAYMOVE);
  assert(memory[0] == 1 && memory[5000] == 0);
  assert(syscall(SYS_mprotect, memory, 8192L, PROT_READ) == 0);
  assert(syscall(SYS_munmap, memory, 8192L) == 0);

  const int file = (int)syscall(SYS_open, "/dev/null", O_RDWR);
  assert(file >= 0 && syscall(SYS_write, file, "abc", 3L) == 3);
  char buffer[4];
  assert(syscall(SYS_read, file, buffer, 4L) == 0 && syscall(SYS_close, file) == 0);
  assert(syscall(SYS_close, file) == -1);

  struct timespec before, after;
  const struct timespec second = {1, 0};
  assert(syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &before) == 0);
  assert(syscall(SYS_nanosleep, &second, NULL) == 0);
  assert(syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &after) == 0);
  assert(after.tv_sec > before.tv_sec);
  struct timeval now;
  assert(syscall(SYS_gettimeofday, &now, NULL) == 0);
  assert(syscall(SYS_time, NULL) >= now.tv_sec);
  uint64_t number;
  assert(syscall(SYS_getrandom, &number, sizeof number, 0) == sizeof number);
  assert(syscall(SYS_sched_yield) == 0 && syscall(SYS_brk, 0L) != 0);

  uint64_t mask = 1u << (SIGUSR1 - 1), old = 1;
  assert(syscall(SYS_rt_sigprocmask, SIG_BLOCK, &mask, &old, 8L) == 0 && old == 0);
  assert(syscall(SYS_rt_sigprocmask, SIG_BLOCK, NULL, &old, 8L) == 0 && old == mask);
}
