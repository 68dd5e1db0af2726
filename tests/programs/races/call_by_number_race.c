// What a system call by its number reads is compared with what others write.
// expect: finding data-race
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

static char text[4] = "abc";

static void* change(void* unused) {
  text[1] = 'x';
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, change, NULL);
  syscall(SYS_write, 1, text, 3);
  pthread_join(t, NULL);
}
