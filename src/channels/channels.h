// Channels between threads, for descriptors that the system does not have. See
// runtime/abi/channels.h.
//
// A channel goes one way: bytes, messages, or a number. A file is what a descriptor stands for, and
// has a channel to read from, one to write to, or both. Neither is ever freed, so that a pointer
// to one stays valid when another thread closes the descriptor; `closed` tells.
//
// Locks: the mutex of a channel is taken before that of an alarm; no thread holds two of a kind.
#pragma once

#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>
#include <time.h>

struct itimerspec;

// A thread that waits for one of several channels (poll), or a set of them (epoll).
struct alarm {
  pthread_mutex_t mutex;
  pthread_cond_t condition;
  unsigned waiting;
  bool rung;
};

struct file;

// Rings the alarm when what a channel has to offer may have changed.
struct watcher {
  struct watcher* next;
  struct alarm* alarm;
  bool reads;  // it watches for something to read, else for room
  // For a set, with the mutex of the alarm: what it wants to be told of, and that it was.
  const uint32_t* events;
  bool* pending;
};

struct segment {
  struct segment* next;
  size_t size, taken;
  char bytes[];
};

enum content { content_bytes, content_messages, content_number, content_timer };

struct channel {
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  unsigned waiting;
  enum content content;
  bool is_socket, is_unconnected;  // is_unconnected: datagrams, whose ends live on alone
  bool takes_one;                  // a number that is read as a semaphore
  bool reset;                      // the writer was closed, with something for it left unread
  unsigned readers, writers;       // files that can
  size_t capacity, size, messages;
  struct segment *first, *last;
  uint64_t number;
  clockid_t clock;
  _Atomic int64_t expires, interval;  // of a timer, in nanoseconds; 0: not set
  struct watcher* watchers;
};

struct file {
  atomic_uint descriptors;   // that stand for it
  atomic_bool closed;        // for epoll, which has no mutex of a channel
  struct channel *in, *out;  // may be null, or the same
  // With the mutex of the one channel, and of the other.
  bool waits_in, waits_out;  // O_NONBLOCK is not set
  bool closed_in, closed_out;
  unsigned held_in, held_out;      // threads that wait there: it is not closed before they return
  bool gives_up_in, gives_up_out;  // closed, while threads waited
  bool shut_in, shut_out;          // by shutdown
  bool alone;                      // a socket for datagrams that has noticed that there is no other
  struct epoll* epoll;
};

// channel.c
struct channel* new_channel(enum content content, size_t capacity);
long read_channel(struct file* file, const struct iovec* parts, int count, int flags);
long write_channel(struct file* file, const struct iovec* parts, int count, int flags,
                   bool is_socket_call);
short readiness(struct file* file);  // as of poll
long fail(int error);

// ends.c
// REQUIRES, of these: the mutex of the channel is held. Threads that wait and that watch are told.
enum news { news_to_read, news_room, news_end_of_writers, news_end_of_readers };
void change(struct channel* channel, enum news news);
void let_go_in(struct file* file);
void let_go_out(struct file* file);
// Whether the other end was closed without having read all; it is told once.
bool take_reset(struct channel* channel);
bool does_wait(struct file* file);
void set_waits(struct file* file, bool waits);
// The file is used while a thread waits for it; the last use of one that is closed ends it.
void hold(struct file* file);
void let_go(struct file* file);
// It is closed: when no thread waits there any more.
void reset_other(struct file* file);
void end_reading(struct file* file);
void end_writing(struct file* file);
// By shutdown, at once.
void shut_reading(struct file* file);
void shut_writing(struct file* file);

// timer.c. Times are in nanoseconds of the monotonic clock; `never` is later than all.
#define never INT64_MAX
bool has_expired(const struct channel* timer);
uint64_t take_expirations(struct channel* timer);
int set_timer(int fd, int flags, const struct itimerspec* to, struct itimerspec* was);
int get_timer(int fd, struct itimerspec* now);
// When the file has something to read by itself.
int64_t next_expiration(const struct file* file);
int64_t deadline_after(const struct timespec* duration);  // null: never
// Waits on a condition. False: the deadline has passed.
bool wait_until(pthread_cond_t* condition, pthread_mutex_t* mutex, int64_t deadline);

// descriptors.c
struct file* file_of(int fd);  // null, and errno: there is none
struct file* new_file(struct channel* in, struct channel* out, bool waits);
int new_descriptor(struct file* file);

// poll.c
// There may be something to read, or else room; or an end, of which all are told. REQUIRES: the
// mutex of the channel is held.
void ring(struct channel* channel, enum news news);
void watch(struct file* file, const struct watcher* like, struct watcher watchers[2]);
void unwatch(struct file* file, struct watcher watchers[2]);
void start_alarm(struct alarm* alarm);
// Until it rings, or the deadline. REQUIRES: its mutex is held.
bool await_alarm(struct alarm* alarm, int64_t deadline);
int poll_channels(struct pollfd* files, nfds_t count, const struct timespec* duration);

// epoll.c
struct epoll_event;
int create_epoll(int flags);
int control_epoll(int epoll, int operation, int fd, struct epoll_event* event);
int wait_epoll(int epoll, struct epoll_event* events, int most, const struct timespec* duration);
