// Threads that allocate blocks for inodes (Flanagan and Godefroid 2005): from the fourteenth on,
// each meets one other.
// expect: verified optimal=8 observers=8
#include <pthread.h>

enum { N = 16, inodes = 32, blocks = 26 };
static pthread_mutex_t locki[inodes], lockb[blocks];
static long inode[inodes], busy[blocks];

static void* work(void* self) {
  const long i = (long)self % inodes;
  pthread_mutex_lock(&locki[i]);
  for (long b = i * 2 % blocks; inode[i] == 0; b = (b + 1) % blocks) {
    pthread_mutex_lock(&lockb[b]);
    if (!busy[b]) {
      busy[b] = 1;
      inode[i] = b + 1;
    }
    pthread_mutex_unlock(&lockb[b]);
  }
  pthread_mutex_unlock(&locki[i]);
  return 0;
}

int main(void) {
  pthread_t threads[N];
  for (int i = 0; i < inodes; ++i) pthread_mutex_init(&locki[i], 0);
  for (int i = 0; i < blocks; ++i) pthread_mutex_init(&lockb[i], 0);
  for (long i = 0; i < N; ++i) pthread_create(&threads[i], 0, work, (void*)i);
  for (int i = 0; i < N; ++i) pthread_join(threads[i], 0);
}
