// Sets of channels that are waited for: epoll.
//
// As in Linux, there is a list of those that may be ready: what happens to a channel puts it there,
// and epoll_wait looks at what is there. Level-triggered ones stay there as long as they are ready;
// edge-triggered ones are taken off once they were told of.
#include <errno.h>
#include <stdlib.h>
#include <sys/epoll.h>

#include "channels.h"
#include "runtime/abi/channels.h"

struct interest {
  struct interest* next;
  struct file* file;
  int fd;
  struct epoll_event event;
  uint32_t wanted;  // its events, at an address that can be pointed to
  // With the mutex of the alarm. `unused`: dead, and nothing refers to it any more.
  bool pending, dead, disabled, unused;
  unsigned looked_at;  // by threads that do not hold the mutex
  int64_t told;        // the expiration of a timer that was told of, if it is not told of again
  struct watcher watchers[2];
};

struct epoll {
  struct alarm alarm;
  struct interest* first;  // in the order in which they are looked at
};

int create_epoll(int flags) {
  if ((flags & ~EPOLL_CLOEXEC) != 0) return (int)fail(EINVAL);
  enum { most = 256 };
  static struct epoll epolls[most];
  static atomic_uint used;
  const unsigned number = atomic_fetch_add(&used, 1);
  if (number >= most) __heddle_unsupported("more than 256 sets of epoll in one run");
  struct epoll* epoll = &epolls[number];
  start_alarm(&epoll->alarm);
  struct file* file = new_file(NULL, NULL, true);
  file->epoll = epoll;
  return new_descriptor(file);
}

static struct epoll* epoll_of(int fd) {
  struct file* file = file_of(fd);
  if (file == NULL) return NULL;
  if (file->epoll == NULL) errno = EINVAL;
  return file->epoll;
}

static bool is_live(const struct interest* i) {
  return !i->dead && !i->disabled && !atomic_load(&i->file->closed);
}

static struct interest* find(struct epoll* epoll, int fd, const struct file* file) {
  for (struct interest* i = epoll->first; i != NULL; i = i->next)
    if (i->fd == fd && i->file == file && !i->dead) return i;
  return NULL;
}

// At the end of the list. REQUIRES, as for all below: the mutex of the alarm is held.
static void append(struct epoll* epoll, struct interest* interest) {
  struct interest** at = &epoll->first;
  while (*at != NULL) at = &(*at)->next;
  interest->next = NULL;
  *at = interest;
}

static void move_to_end(struct epoll* epoll, struct interest* interest) {
  struct interest** at = &epoll->first;
  while (*at != interest) at = &(*at)->next;
  *at = interest->next;
  append(epoll, interest);
}

static void wake(struct epoll* epoll) {
  epoll->alarm.rung = true;
  if (epoll->alarm.waiting != 0) pthread_cond_broadcast(&epoll->alarm.condition);
}

static struct interest* take_unused(struct epoll* epoll) {
  for (struct interest* i = epoll->first; i != NULL; i = i->next)
    if (i->unused && i->looked_at == 0) return i;
  struct interest* added = calloc(1, sizeof *added);
  if (added != NULL) append(epoll, added);
  return added;
}

static int add(struct epoll* epoll, int fd, struct file* file, const struct epoll_event* event) {
  pthread_mutex_lock(&epoll->alarm.mutex);
  const bool exists = find(epoll, fd, file) != NULL;
  struct interest* interest = exists ? NULL : take_unused(epoll);
  if (interest != NULL) {
    interest->file = file;
    interest->fd = fd;
    interest->event = *event;
    interest->wanted = event->events;
    interest->told = 0;
    interest->dead = interest->disabled = interest->unused = interest->pending = false;
  }
  pthread_mutex_unlock(&epoll->alarm.mutex);
  if (interest == NULL) return (int)fail(exists ? EEXIST : ENOMEM);
  const struct watcher like = {
      .alarm = &epoll->alarm, .events = &interest->wanted, .pending = &interest->pending};
  watch(file, &like, interest->watchers);
  pthread_mutex_lock(&epoll->alarm.mutex);
  interest->pending = true;
  wake(epoll);
  pthread_mutex_unlock(&epoll->alarm.mutex);
  return 0;
}

int control_epoll(int fd, int operation, int of, struct epoll_event* event) {
  struct epoll* epoll = epoll_of(fd);
  if (epoll == NULL) return -1;
  if (of < heddle_first_channel || of >= heddle_end_of_channels)
    __heddle_unsupported("epoll of a descriptor of the system");
  struct file* file = file_of(of);
  if (file == NULL) return -1;
  if (file->epoll != NULL) __heddle_unsupported("epoll of an epoll descriptor");
  if (operation == EPOLL_CTL_ADD) return add(epoll, of, file, event);
  if (operation != EPOLL_CTL_MOD && operation != EPOLL_CTL_DEL) return (int)fail(EINVAL);
  pthread_mutex_lock(&epoll->alarm.mutex);
  struct interest* interest = find(epoll, of, file);
  if (interest != NULL && operation == EPOLL_CTL_MOD) {
    interest->event = *event;
    interest->wanted = event->events;
    interest->disabled = false;
    interest->told = 0;
    interest->pending = true;
    wake(epoll);
  }
  if (interest != NULL && operation == EPOLL_CTL_DEL) interest->dead = true;
  pthread_mutex_unlock(&epoll->alarm.mutex);
  if (interest == NULL) return (int)fail(ENOENT);
  if (operation == EPOLL_CTL_MOD) return 0;
  unwatch(file, interest->watchers);
  pthread_mutex_lock(&epoll->alarm.mutex);
  interest->unused = true;
  pthread_mutex_unlock(&epoll->alarm.mutex);
  return 0;
}

// Takes the first that may be ready off the list; null if there is none.
static struct interest* take_pending(struct epoll* epoll, const struct interest* until) {
  for (struct interest* i = epoll->first; i != NULL && i != until; i = i->next) {
    if (!i->pending || !is_live(i)) continue;
    i->pending = false;
    ++i->looked_at;
    return i;
  }
  return NULL;
}

static int collect(struct epoll* epoll, struct epoll_event* events, int most) {
  int count = 0;
  struct interest* told = NULL;  // the first that was moved to the end: all before it are looked at
  pthread_mutex_lock(&epoll->alarm.mutex);
  epoll->alarm.rung = false;
  while (count < most) {
    struct interest* i = take_pending(epoll, told);
    if (i == NULL) break;
    pthread_mutex_unlock(&epoll->alarm.mutex);
    const uint32_t ready = (uint32_t)(uint16_t)readiness(i->file);
    pthread_mutex_lock(&epoll->alarm.mutex);
    --i->looked_at;
    const uint32_t seen = ready & (i->event.events | EPOLLERR | EPOLLHUP);
    if (seen == 0 || !is_live(i)) continue;
    events[count].events = seen;
    events[count++].data = i->event.data;
    if ((i->event.events & EPOLLONESHOT) != 0) i->disabled = true;
    if ((i->event.events & (EPOLLET | EPOLLONESHOT)) == 0)
      i->pending = true;
    else
      i->told = next_expiration(i->file);
    move_to_end(epoll, i);
    if (told == NULL) told = i;
  }
  for (struct interest* i = epoll->first; i != NULL; i = i->next)
    if (i->pending && is_live(i)) {
      wake(epoll);
      break;
    }
  pthread_mutex_unlock(&epoll->alarm.mutex);
  return count;
}

// When something happens to it by itself.
static int64_t expiration(const struct interest* i) {
  const int64_t at = is_live(i) ? next_expiration(i->file) : never;
  return at == i->told ? never : at;
}

// The deadline, or when the first timer of the set expires.
static int64_t earliest(struct epoll* epoll, int64_t deadline) {
  for (struct interest* i = epoll->first; i != NULL; i = i->next) {
    const int64_t at = expiration(i);
    if (at < deadline) deadline = at;
  }
  return deadline;
}

static void mark_timers(struct epoll* epoll) {
  for (struct interest* i = epoll->first; i != NULL; i = i->next)
    if (expiration(i) != never)
      i->pending = true;
}

int wait_epoll(int fd, struct epoll_event* events, int most, const struct timespec* duration) {
  struct epoll* epoll = epoll_of(fd);
  if (epoll == NULL) return -1;
  if (most <= 0) return (int)fail(EINVAL);
  const int64_t deadline = deadline_after(duration);
  for (;;) {
    const int count = collect(epoll, events, most);
    if (count != 0) return count;
    if (duration != NULL && duration->tv_sec == 0 && duration->tv_nsec == 0) return 0;
    pthread_mutex_lock(&epoll->alarm.mutex);
    const int64_t limit = earliest(epoll, deadline);
    const bool rung = await_alarm(&epoll->alarm, limit);
    if (!rung) mark_timers(epoll);
    pthread_mutex_unlock(&epoll->alarm.mutex);
    if (!rung && limit == deadline) return collect(epoll, events, most);
  }
}
