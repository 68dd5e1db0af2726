// Messages of two threads come in either order, each whole.
// expect: finding assertion line here
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>

static int ends[2];

static void* tell(void* text) {
  assert(send(ends[1], text, strlen(text) + 1, 0) > 0);
  return text;
}

int main(void) {
  assert(socketpair(AF_UNIX, SOCK_DGRAM, 0, ends) == 0);
  pthread_t threads[2];
  pthread_create(&threads[0], 0, tell, "one");
  pthread_create(&threads[1], 0, tell, "three");
  char text[16];
  const ssize_t n = recv(ends[0], text, sizeof text, 0);
  assert((n == 4 && strcmp(text, "one") == 0) || (n == 6 && strcmp(text, "three") == 0));
  assert(n == 4);  // here
  for (int k = 0; k < 2; ++k) pthread_join(threads[k], 0);
}
