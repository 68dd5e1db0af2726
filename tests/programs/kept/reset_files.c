// What the system keeps for a process is the same at the beginning of each run: what is open, and
// where, the mask for new files, the current directory, limits, the environment.
// expect: verified
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int x;
static int early;

__attribute__((constructor)) static void open_early(void) { early = open("/etc/passwd", O_RDONLY); }

static void* work(void* argument) {
  for (int k = 0; k < 2; ++k) atomic_fetch_add(&x, 1);
  return argument;
}

int main(void) {
  char c = 0, directory[4096];
  struct rlimit limit;
  assert(read(early, &c, 1) == 1 && c == 'r');
  assert((fcntl(early, F_GETFL) & O_NONBLOCK) == 0 && fcntl(early, F_GETFD) == 0);
  assert(umask(077) != 077);
  assert(getcwd(directory, sizeof directory) != 0 && strcmp(directory, "/") != 0);
  assert(getrlimit(RLIMIT_CORE, &limit) == 0 && limit.rlim_cur != 4096 && limit.rlim_max >= 4096);
  assert(getenv("HEDDLE_TEST_OF_RESET") == 0);
  assert(fcntl(700, F_GETFD) == -1 && fcntl(early + 1, F_GETFD) == -1 && fcntl(1, F_GETFD) == 0);

  setenv("HEDDLE_TEST_OF_RESET", "1", 1);
  limit.rlim_cur = 4096;
  setrlimit(RLIMIT_CORE, &limit);
  assert(chdir("/") == 0);
  fcntl(early, F_SETFL, O_NONBLOCK);
  fcntl(early, F_SETFD, FD_CLOEXEC);
  const int one = open("/etc/hostname", O_RDONLY), two = dup(one), three = dup2(one, 700);
  assert(one == early + 1 && two == one + 1 && three == 700);
  close(one);
  fclose(stdout);
  syscall(SYS_close, 0);
  dup2(two, 2);

  pthread_t s, t;
  pthread_create(&s, 0, work, 0);
  pthread_create(&t, 0, work, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  assert(fcntl(700, F_GETFD) == 0 && fcntl(0, F_GETFD) == -1);
  closefrom(early + 1);
  return 0;
}
