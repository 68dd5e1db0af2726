// expect: verified
#include <assert.h>
#include <pthread.h>
#include <sys/select.h>
#include <unistd.h>

static int first[2], second[2];

static void* write_to(void* end) {
  assert(write(*(int*)end, "x", 1) == 1);
  return end;
}

int main(void) {
  pipe(first);
  pipe(second);
  pthread_t threads[2];
  pthread_create(&threads[0], 0, write_to, &first[1]);
  pthread_create(&threads[1], 0, write_to, &second[1]);
  for (int seen = 0; seen < 2;) {
    fd_set reads;
    FD_ZERO(&reads);
    FD_SET(first[0], &reads);
    FD_SET(second[0], &reads);
    const int most = first[0] > second[0] ? first[0] : second[0];
    const int n = select(most + 1, &reads, 0, 0, 0);
    assert(n == 1 || n == 2);
    char c;
    if (FD_ISSET(first[0], &reads)) seen += (int)read(first[0], &c, 1);
    if (FD_ISSET(second[0], &reads)) seen += (int)read(second[0], &c, 1);
  }
  for (int k = 0; k < 2; ++k) pthread_join(threads[k], 0);
}
