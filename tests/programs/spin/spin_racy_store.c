// A loop that polls and writes what it waits for: it may overwrite what it is told, and then what it
// writes is there already.
// expect: finding livelock
// options: --races explore
#include <pthread.h>

int flag;

void* other(void* unused) {
  flag = 1;
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  while (flag == 0) flag = 0;
  pthread_join(t, 0);
}
