// Waiting for several channels.
#include <errno.h>
#include <stdlib.h>

#include "channels.h"
#include "runtime/abi/channels.h"

void start_alarm(struct alarm* alarm) {
  pthread_mutex_init(&alarm->mutex, NULL);
  pthread_cond_init(&alarm->condition, NULL);
  alarm->waiting = 0;
  alarm->rung = false;
}

void ring(struct channel* channel, enum news news) {
  const bool reads = news == news_to_read || news == news_end_of_writers;
  const bool all = news == news_end_of_writers || news == news_end_of_readers;
  for (struct watcher* w = channel->watchers; w != NULL; w = w->next) {
    if (w->reads != reads) continue;
    pthread_mutex_lock(&w->alarm->mutex);
    if (w->events == NULL || all || (*w->events & (uint32_t)(reads ? POLLIN : POLLOUT)) != 0) {
      w->alarm->rung = true;
      if (w->pending != NULL) *w->pending = true;
      if (w->alarm->waiting != 0) pthread_cond_broadcast(&w->alarm->condition);
    }
    pthread_mutex_unlock(&w->alarm->mutex);
  }
}

bool await_alarm(struct alarm* alarm, int64_t deadline) {
  bool in_time = true;
  ++alarm->waiting;
  while (in_time && !alarm->rung)
    in_time = wait_until(&alarm->condition, &alarm->mutex, deadline);
  --alarm->waiting;
  return alarm->rung;
}

static void add(struct channel* channel, struct watcher* w) {
  pthread_mutex_lock(&channel->mutex);
  w->next = channel->watchers;
  channel->watchers = w;
  pthread_mutex_unlock(&channel->mutex);
}

static void take_out(struct channel* channel, struct watcher* w) {
  pthread_mutex_lock(&channel->mutex);
  struct watcher** at = &channel->watchers;
  while (*at != NULL && *at != w) at = &(*at)->next;
  if (*at == w) *at = w->next;
  pthread_mutex_unlock(&channel->mutex);
}

void watch(struct file* file, const struct watcher* like, struct watcher watchers[2]) {
  for (int n = 0; n < 2; ++n) {
    watchers[n] = *like;
    watchers[n].reads = n == 0;
  }
 
  if (file->in != NULL) add(file->in, &watchers[0]);
  if (file->out != NULL) add(file->out, &watchers[1]);
}

void unwatch(struct file* file, struct watcher watchers[2]) {
  if (file->in != NULL) take_out(file->in, &watchers[0]);
  if (file->out != NULL) take_out(file->out, &watchers[1]);
}

// One descriptor of a poll.
struct polled {
  struct file* file;  // null: it is the system's, or none
  struct watcher watchers[2];
};

static bool is_channel(int fd) {
  return fd >= heddle_first_channel && fd < heddle_end_of_channels;
}

static short asked(const struct pollfd* p, struct file* file) {
  if (file != NULL) return readiness(file) & (short)(p->events | POLLERR | POLLHUP);
  if (p->fd < 0) return 0;
  if (is_channel(p->fd)) return POLLNVAL;
  struct pollfd one = {p->fd, p->events, 0};
  const struct timespec none = {0, 0};
  return ppoll(&one, 1, &none, NULL) == 1 ? one.revents : 0;
}

static int look(struct pollfd* files, const struct polled* all, nfds_t count) {
  int ready = 0;
  for (nfds_t k = 0; k < count; ++k) {
    files[k].revents = asked(&files[k], all[k].file);
    if (files[k].revents != 0) ++ready;
  }
  return ready;
}

// The deadline, or when the first timer expires.
static int64_t earliest(const struct polled* all, nfds_t count, int64_t deadline) {
  for (nfds_t k = 0; k < count; ++k) {
    const int64_t at = all[k].file == NULL ? never : next_expiration(all[k].file);
    if (at < deadline) deadline = at;
  }
  return deadline;
}

static int poll_until(struct pollfd* files, struct polled* all, nfds_t count, struct alarm* alarm,
                      int64_t deadline) {
  for (;;) {
    pthread_mutex_lock(&alarm->mutex);
    alarm->rung = false;
    pthread_mutex_unlock(&alarm->mutex);
    const int ready = look(files, all, count);
    if (ready != 0) return ready;
    const int64_t limit = earliest(all, count, deadline);
    pthread_mutex_lock(&alarm->mutex);
    const bool rung = await_alarm(alarm, limit);
    pthread_mutex_unlock(&alarm->mutex);
    if (!rung && limit == deadline) return look(files, all, count);
  }
}

int poll_channels(struct pollfd* files, nfds_t count, const struct timespec* duration) {
  struct polled* all = calloc(count == 0 ? 1 : count, sizeof *all);
  if (all == NULL) return (int)fail(ENOMEM);
  const int64_t deadline = deadline_after(duration);
  for (nfds_t k = 0; k < count; ++k) {
    all[k].file = is_channel(files[k].fd) ? file_of(files[k].fd) : NULL;
    if (all[k].file != NULL && all[k].file->epoll != NULL)
      __heddle_unsupported("poll of an epoll descriptor");
  }
  int ready = look(files, all, count);
  const bool waits = duration == NULL || duration->tv_sec != 0 || duration->tv_nsec != 0;
  if (ready == 0 && waits) {
    struct alarm alarm;
    start_alarm(&alarm);
    for (nfds_t k = 0; k < count; ++k) {
      if (all[k].file == NULL) continue;
      hold(all[k].file);
      watch(all[k].file, &(struct watcher){.alarm = &alarm}, all[k].watchers);
    }
    ready = poll_until(files, all, count, &alarm, deadline);
    for (nfds_t k = 0; k < count; ++k) {
      if (all[k].file == NULL) continue;
      unwatch(all[k].file, all[k].watchers);
      let_go(all[k].file);
    }
    pthread_cond_destroy(&alarm.condition);
    pthread_mutex_destroy(&alarm.mutex);
  }
  free(all);
  return ready;
}
