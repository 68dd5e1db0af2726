// A question and an answer, one way and the other.
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

static int ends[2];

static void* serve(void* unused) {
  for (int n; recv(ends[1], &n, sizeof n, MSG_WAITALL) == sizeof n;) {
    n *= 2;
    assert(send(ends[1], &n, sizeof n, 0) == sizeof n);
  }
  return unused;
}

int main(void) {
  assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  pthread_t thread;
  pthread_create(&thread, 0, serve, 0);
  for (int k = 1; k <= 2; ++k) {
    int n = k;
    assert(send(ends[0], &n, 1, 0) == 1 && send(ends[0], (char*)&n + 1, 3, 0) == 3);
    assert(recv(ends[0], &n, sizeof n, MSG_WAITALL) == sizeof n && n == 2 * k);
  }
  assert(shutdown(ends[0], SHUT_WR) == 0);
  pthread_join(thread, 0);
}
