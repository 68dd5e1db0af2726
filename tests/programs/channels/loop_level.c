// A loop that is woken by a counter: what is posted before it stops is done.
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int wakes;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int posted, done;
static bool stops;

static void post(bool stop) {
  pthread_mutex_lock(&mutex);
  if (stop)
    stops = true;
  else
    ++posted;
  pthread_mutex_unlock(&mutex);
  eventfd_write(wakes, 1);
}

static void* loop(void* unused) {
  const int set = epoll_create1(0);
  struct epoll_event event = {EPOLLIN, {.fd = wakes}};
  assert(epoll_ctl(set, EPOLL_CTL_ADD, wakes, &event) == 0);
  for (bool ends = false; !ends;) {
    assert(epoll_wait(set, &event, 1, -1) == 1 && event.data.fd == wakes);
    eventfd_t value;
    eventfd_read(wakes, &value);
    pthread_mutex_lock(&mutex);
    done = posted;
    ends = stops;
    pthread_mutex_unlock(&mutex);
  }
  close(set);
  return unused;
}

int main(void) {
  wakes = eventfd(0, 0);
  pthread_t thread;
  pthread_create(&thread, 0, loop, 0);
  post(false);
  post(true);
  pthread_join(thread, 0);
  assert(done == 1);
}
