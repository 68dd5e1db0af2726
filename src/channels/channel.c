#include "channels.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "runtime/abi/channels.h"

enum { most_channels = 1024 };

long fail(int error) {
  errno = error;
  return -1;
}

struct channel* new_channel(enum content content, size_t capacity) {
  static struct channel channels[most_channels];
  static atomic_uint used;
  const unsigned number = atomic_fetch_add(&used, 1);
  if (number >= most_channels) __heddle_unsupported("more than 1024 channels in one run");
  struct channel* c = &channels[number];
  pthread_mutex_init(&c->mutex, NULL);
  pthread_cond_init(&c->changed, NULL);
  c->content = content;
  c->capacity = capacity;
  c->readers = c->writers = 1;
  return c;
}

static size_t size_of(const struct iovec* parts, int count) {
  size_t size = 0;
  for (int k = 0; k < count; ++k) size += parts[k].iov_len;
  return size;
}

// --- what a channel has

static bool has_something(const struct channel* c) {
  switch (c->content) {
    case content_bytes:
      return c->size != 0;
    case content_messages:
      return c->messages != 0;
    case content_number:
      return c->number != 0;
    default:
      return has_expired(c);
  }
}

static bool is_at_end(const struct channel* c) {
  return c->writers == 0 && !c->is_unconnected && c->content <= content_messages;
}

// What Linux counts for a message against the limit of its sender: memory, and not bytes.
static size_t cost_of(size_t size) {
  size_t cost = 512;
  while (cost < size + 320) cost *= 2;
  return cost + 256;
}

// Room for a write of this size, all of it or, of bytes, some of it. What is written to a pipe at
// once is not torn up to a certain size.
static bool has_room(const struct channel* c, size_t size, uint64_t number) {
  const size_t room = c->size < c->capacity ? c->capacity - c->size : 0;
  switch (c->content) {
    case content_bytes:
      return c->is_socket || size > PIPE_BUF ? room != 0 : room >= size;
    case content_messages:
      return room >= cost_of(size) || c->messages == 0;
    default:
      return number <= UINT64_MAX - 1 - c->number;
  }
}

short readiness(struct file* file) {
  short ready = 0;
  if (file->in != NULL) {
    struct channel* c = file->in;
    pthread_mutex_lock(&c->mutex);
    if (has_something(c)) ready |= POLLIN | POLLRDNORM;
    if (c->reset) ready |= POLLERR;
    if (is_at_end(c) || file->shut_in) {
      ready |= POLLHUP;
      if (c->is_socket) ready |= POLLIN | POLLRDNORM | POLLRDHUP;
    }
    pthread_mutex_unlock(&c->mutex);
  }
  if (file->out != NULL) {
    struct channel* c = file->out;
    pthread_mutex_lock(&c->mutex);
    if (c->readers == 0 && !c->is_socket) ready |= POLLERR;
    if (c->readers == 0 || has_room(c, 1, 1)) ready |= POLLOUT | POLLWRNORM;
    pthread_mutex_unlock(&c->mutex);
  }
  // A socket whose peer still reads what is written is half closed, and does not hang up.
  if ((ready & POLLHUP) != 0 && file->out != NULL && file->out->is_socket) {
    pthread_mutex_lock(&file->out->mutex);
    if (file->out->readers != 0) ready &= ~POLLHUP;
    pthread_mutex_unlock(&file->out->mutex);
  }
  return ready;
}

// --- reading

static void forget_first(struct channel* c) {
  struct segment* s = c->first;
  c->first = s->next;
  if (c->first == NULL) c->last = NULL;
  free(s);
}

// As Linux does with what the other end had sent before it was closed, once that is noticed.
static void forget_all(struct channel* c) {
  pthread_mutex_lock(&c->mutex);
  while (c->first != NULL) forget_first(c);
  c->size = c->messages = 0;
  pthread_mutex_unlock(&c->mutex);
}

// Where in the parts the next bytes go, or come from.
struct place {
  const struct iovec* part;
  size_t at;
};

static size_t copy(struct place* place, char* bytes, size_t size, bool out) {
  size_t done = 0;
  while (done < size) {
    const size_t room = place->part->iov_len - place->at;
    const size_t now = room < size - done ? room : size - done;
    char* memory = (char*)place->part->iov_base + place->at;
    if (now != 0) memcpy(out ? memory : bytes + done, out ? bytes + done : memory, now);
    done += now;
    place->at += now;
    if (place->at == place->part->iov_len && done < size) {
      ++place->part;
      place->at = 0;
    }
  }
  return done;
}

static size_t take_bytes(struct channel* c, struct place* to, size_t size, bool peeks) {
  size_t done = 0;
  for (struct segment* s = c->first; s != NULL && done < size;) {
    struct segment* next = s->next;
    const size_t left = s->size - s->taken, now = left < size - done ? left : size - done;
    done += copy(to, s->bytes + s->taken, now, true);
    if (!peeks) {
      s->taken += now;
      c->size -= now;
      if (s->taken == s->size) forget_first(c);
    }
    s = next;
  }
  return done;
}

static long take_message(struct channel* c, struct place* to, size_t size, int flags) {
  struct segment* s = c->first;
  const size_t whole = s->size;
  copy(to, s->bytes, whole < size ? whole : size, true);
  if ((flags & MSG_PEEK) == 0) {
    c->size -= cost_of(whole);
    --c->messages;
    forget_first(c);
  }
  return (long)((flags & MSG_TRUNC) != 0 || whole < size ? whole : size);
}

static long take_number(struct channel* c, struct place* to) {
  uint64_t number = c->content == content_timer ? take_expirations(c) : c->takes_one ? 1 : c->number;
  if (c->content == content_number) c->number -= number;
  copy(to, (char*)&number, sizeof number, true);
  return sizeof number;
}

static long take(struct channel* c, struct place* to, size_t size, int flags) {
  if (c->content == content_bytes) return (long)take_bytes(c, to, size, (flags & MSG_PEEK) != 0);
  return c->content == content_messages ? take_message(c, to, size, flags) : take_number(c, to);
}

// False: the file is closed meanwhile, or the thread would have to wait and may not.
static bool await_something(struct file* file, int flags, int* error) {
  struct channel* c = file->in;
  ++file->held_in;
  while (*error == 0 && !has_something(c) && !is_at_end(c) && !file->shut_in) {
    if (!file->waits_in || (flags & MSG_DONTWAIT) != 0) {
      *error = EAGAIN;
      break;
    }
    ++c->waiting;
    wait_until(&c->changed, &c->mutex, next_expiration(file));
    --c->waiting;
  }
  let_go_in(file);
  // Of messages, this comes first; of bytes, last.
  if (*error == 0 && c->reset && (c->content == content_messages || !has_something(c))) {
    c->reset = false;
    *error = ECONNRESET;
  }
  return *error == 0 && has_something(c);
}

long read_channel(struct file* file, const struct iovec* parts, int count, int flags) {
  struct channel* c = file->in;
  const size_t size = size_of(parts, count);
  if (c == NULL) return fail(EBADF);
  if (c->content >= content_number && size < sizeof(uint64_t)) return fail(EINVAL);
  if (size == 0 && c->content == content_bytes) return 0;
  struct place to = {parts, 0};
  size_t done = 0;
  int error = 0;
  pthread_mutex_lock(&c->mutex);
  const bool all = (flags & MSG_WAITALL) != 0 && (flags & MSG_PEEK) == 0;
  do {
    if (file->closed_in) error = EBADF;
    if (error != 0 || !await_something(file, flags, &error)) break;
    done += (size_t)take(c, &to, size - done, flags);
    if ((flags & MSG_PEEK) == 0) change(c, news_room);
  } while (all && c->content == content_bytes && done < size);
  pthread_mutex_unlock(&c->mutex);
  return error != 0 && done == 0 ? fail(error) : (long)done;
}

// --- writing

static bool add(struct channel* c, struct place* from, size_t size) {
  struct segment* s = malloc(sizeof *s + size);
  if (s == NULL) return false;
  s->next = NULL;
  s->size = size;
  s->taken = 0;
  copy(from, s->bytes, size, false);
  if (c->last == NULL)
    c->first = s;
  else
    c->last->next = s;
  c->last = s;
  c->size += c->content == content_messages ? cost_of(size) : size;
  if (c->content == content_messages) ++c->messages;
  return true;
}

// Waits for room, and adds what there is room for. Returns how much, or -1.
static long add_some(struct file* file, struct place* from, size_t size, int flags, int* error) {
  struct channel* c = file->out;
  uint64_t number = 0;
  if (c->content == content_number) {
    struct place copied = *from;
    copy(&copied, (char*)&number, sizeof number, false);
    if (number == UINT64_MAX) *error = EINVAL;
  }
  ++file->held_out;
  while (*error == 0 && c->readers != 0 && !file->shut_out && !has_room(c, size, number)) {
    if (!file->waits_out || (flags & MSG_DONTWAIT) != 0) {
      *error = EAGAIN;
      break;
    }
    ++c->waiting;
    wait_until(&c->changed, &c->mutex, never);
    --c->waiting;
  }
  let_go_out(file);
  if (*error == 0 && file->shut_out) *error = EPIPE;
  if (*error == 0 && c->readers == 0)
    *error = !c->is_unconnected ? EPIPE : file->alone ? ENOTCONN : ECONNREFUSED;
  if (*error == ECONNREFUSED) file->alone = true;
  if (*error != 0) return -1;
  if (c->content == content_number) {
    c->number += number;
    change(c, news_to_read);
    return sizeof number;
  }
  const size_t room = c->content == content_messages ? size : c->capacity - c->size;
  const size_t now = room < size ? room : size;
  if (!add(c, from, now)) {
    *error = ENOMEM;
    return -1;
  }
  change(c, news_to_read);
  return (long)now;
}

long write_channel(struct file* file, const struct iovec* parts, int count, int flags,
                   bool is_socket_call) {
  struct channel* c = file->out;
  const size_t size = size_of(parts, count);
  if (c == NULL) return fail(EBADF);
  if (is_socket_call && !c->is_socket) return fail(ENOTSOCK);
  if (c->content == content_timer) return fail(EINVAL);
  if (c->content == content_number && size < sizeof(uint64_t)) return fail(EINVAL);
  if (c->content == content_messages && size > c->capacity) return fail(EMSGSIZE);
  if (c->content == content_bytes && size == 0) return 0;
  if (c->content == content_messages && !c->is_unconnected && take_reset(file->in))
    return fail(ECONNRESET);
  struct place from = {parts, 0};
  const size_t wanted = c->content == content_number ? sizeof(uint64_t) : size;
  size_t done = 0;
  int error = 0;
  pthread_mutex_lock(&c->mutex);
  do {
    if (file->closed_out && done == 0) error = EBADF;
    const long now = error != 0 ? -1 : add_some(file, &from, wanted - done, flags, &error);
    if (now > 0) done += (size_t)now;
  } while (error == 0 && done < wanted);
  pthread_mutex_unlock(&c->mutex);
  if (error == EPIPE && (flags & MSG_NOSIGNAL) == 0 && done == 0) raise(SIGPIPE);
  if (error == ECONNREFUSED) forget_all(file->in);
  return error != 0 && done == 0 ? fail(error) : (long)done;
}
