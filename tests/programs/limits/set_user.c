// The C library would have all threads of the system change their user.
// expect: verified
#define _GNU_SOURCE
#include <grp.h>
#include <pthread.h>
#include <unistd.h>

static void* work(void* argument) { return setgid(getgid()) ? 0 : argument; }

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  if (setuid(getuid()) != 0 || seteuid(geteuid()) != 0) return 1;
  if (setresuid(-1, getuid(), -1) != 0) return 1;
  pthread_join(t, 0);
  return 0;
}
