// Where threads map memory does not depend on who comes first.
// expect: verified optimal=2 observers=2
#include <assert.h>
#include <pthread.h>
#include <sys/mman.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char* mapped[2];

static void* work(void* argument) {
  pthread_mutex_lock(&mutex);
  char* p = mmap(0, 10000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert(p != MAP_FAILED && p[0] == 0 && p[9999] == 0);
  p[0] = p[9999] = 1;
  mapped[(long)argument] = p;
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, work, (void*)0);
  pthread_create(&t, 0, work, (void*)1);
  pthread_join(s, 0);
  pthread_join(t, 0);
  assert(mapped[0] < mapped[1]);
  assert(munmap(mapped[0], 4096) == 0 && mapped[0][9999] == 1);  // of a part
  char* again = mmap(mapped[0] + 4096, 4096, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  assert(again == mapped[0] + 4096 && again[0] == 0);
  return 0;
}
