// Timers, and time limits.
#include <errno.h>
#include <sys/timerfd.h>

#include "channels.h"

enum { second = 1000000000 };

static int64_t as_number(const struct timespec* t) {
  return t->tv_sec >= never / second ? never : t->tv_sec * second + t->tv_nsec;
}
static struct timespec as_time(int64_t n) { return (struct timespec){n / second, n % second}; }

static int64_t now_by(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return as_number(&now);
}

static int64_t sum(int64_t a, int64_t b) { return a > never - b ? never : a + b; }

int64_t deadline_after(const struct timespec* duration) {
  return duration == NULL ? never : sum(now_by(CLOCK_MONOTONIC), as_number(duration));
}

bool wait_until(pthread_cond_t* condition, pthread_mutex_t* mutex, int64_t deadline) {
  if (deadline == never) {
    pthread_cond_wait(condition, mutex);
    return true;
  }
  const struct timespec at = as_time(deadline);
  return pthread_cond_clockwait(condition, mutex, CLOCK_MONOTONIC, &at) != ETIMEDOUT;
}

// --- timers. They are kept by the monotonic clock: in virtual time, all clocks go alike.

bool has_expired(const struct channel* timer) {
  const int64_t at = atomic_load(&timer->expires);
  return at != 0 && now_by(CLOCK_MONOTONIC) >= at;
}

// REQUIRES: it has expired.
uint64_t take_expirations(struct channel* timer) {
  const int64_t at = atomic_load(&timer->expires), each = atomic_load(&timer->interval);
  const int64_t more = each == 0 ? 0 : (now_by(CLOCK_MONOTONIC) - at) / each;
  atomic_store(&timer->expires, each == 0 ? 0 : at + (more + 1) * each);
  return (uint64_t)more + 1;
}

int64_t next_expiration(const struct file* file) {
  if (file->in == NULL || file->in->content != content_timer) return never;
  const int64_t at = atomic_load(&file->in->expires);
  return at == 0 ? never : at;
}

static struct channel* timer_of(int fd) {
  const struct file* file = file_of(fd);
  if (file == NULL) return NULL;
  if (file->in != NULL && file->in->content == content_timer) return file->in;
  errno = EINVAL;
  return NULL;
}

static void look(const struct channel* timer, struct itimerspec* out) {
  const int64_t at = atomic_load(&timer->expires);
  const int64_t left = at == 0 ? 0 : at - now_by(CLOCK_MONOTONIC);
  out->it_interval = as_time(atomic_load(&timer->interval));
  out->it_value = as_time(at != 0 && left <= 0 ? 1 : left);
}

int get_timer(int fd, struct itimerspec* now) {
  struct channel* timer = timer_of(fd);
  if (timer == NULL) return -1;
  pthread_mutex_lock(&timer->mutex);
  look(timer, now);
  pthread_mutex_unlock(&timer->mutex);
  return 0;
}

static bool is_valid(const struct timespec* t) {
  return t->tv_sec >= 0 && t->tv_nsec >= 0 && t->tv_nsec < second;
}

int set_timer(int fd, int flags, const struct itimerspec* to, struct itimerspec* was) {
  struct channel* timer = timer_of(fd);
  if (timer == NULL) return -1;
  if (!is_valid(&to->it_value) || !is_valid(&to->it_interval)) return (int)fail(EINVAL);
  const int64_t value = as_number(&to->it_value);
  pthread_mutex_lock(&timer->mutex);
  if (was != NULL) look(timer, was);
  int64_t left = value;
  if ((flags & TFD_TIMER_ABSTIME) != 0) {
    const int64_t now = now_by(timer->clock);
    left = value > now ? value - now : 0;
  }
  atomic_store(&timer->interval, as_number(&to->it_interval));
  atomic_store(&timer->expires, value == 0 ? 0 : sum(now_by(CLOCK_MONOTONIC), left));
  if (timer->waiting != 0) pthread_cond_broadcast(&timer->changed);
  ring(timer, news_to_read);
  pthread_mutex_unlock(&timer->mutex);
  return 0;
}
