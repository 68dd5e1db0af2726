// The system reads the pieces of a message.
// expect: finding data-race
#include <pthread.h>
#include <sys/socket.h>
#include <sys/uio.h>

static char piece[16];

static void* sends(void* argument) {
  struct iovec parts = {piece, sizeof piece};
  struct msghdr message = {.msg_iov = &parts, .msg_iovlen = 1};
  return sendmsg(-1, &message, 0) < 0 ? argument : 0;
}
static void* changes(void* argument) {
  piece[9] = 1;
  return argument;
}

int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, sends, 0);
  pthread_create(&t, 0, changes, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  return 0;
}
