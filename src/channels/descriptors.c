// Which descriptors stand for which files.
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/timerfd.h>

#include "channels.h"
#include "runtime/abi/channels.h"

enum {
  most_descriptors = heddle_end_of_channels - heddle_first_channel,
  most_files = 2048,
  pipe_capacity = 65536,
  socket_capacity = 212992,
};

static _Atomic(struct file*) descriptor[most_descriptors];

struct file* file_of(int fd) {
  struct file* file = NULL;
  if (fd >= heddle_first_channel && fd < heddle_end_of_channels)
    file = atomic_load(&descriptor[fd - heddle_first_channel]);
  if (file == NULL) errno = EBADF;
  return file;
}

struct file* new_file(struct channel* in, struct channel* out, bool waits) {
  static struct file open_file[most_files];
  static atomic_uint used;
  const unsigned number = atomic_fetch_add(&used, 1);
  if (number >= most_files) __heddle_unsupported("more than 2048 ends of channels in one run");
  struct file* file = &open_file[number];
  file->in = in;
  file->out = out;
  file->waits_in = file->waits_out = waits;
  return file;
}

static bool put(struct file* file, int number) {
  struct file* none = NULL;
  return atomic_compare_exchange_strong(&descriptor[number], &none, file);
}

static int put_from(struct file* file, int number) {
  atomic_fetch_add(&file->descriptors, 1);
  for (; number < most_descriptors; ++number)
    if (atomic_load(&descriptor[number]) == NULL && put(file, number))
      return number + heddle_first_channel;
  __heddle_unsupported("more than 256 channels open at once");
}

int new_descriptor(struct file* file) { return put_from(file, 0); }

static void release(struct file* file) {
  if (atomic_fetch_sub(&file->descriptors, 1) != 1) return;
  atomic_store(&file->closed, true);
  reset_other(file);
  end_reading(file);
  end_writing(file);
}

static int close_descriptor(int fd) {
  if (file_of(fd) == NULL) return -1;
  struct file* file = atomic_exchange(&descriptor[fd - heddle_first_channel], NULL);
  if (file == NULL) return (int)fail(EBADF);
  release(file);
  return 0;
}

static int copy_descriptor(int fd, int least, bool exactly) {
  struct file* file = file_of(fd);
  if (file == NULL) return -1;
  if (!exactly) return put_from(file, least < heddle_first_channel ? 0 : least - heddle_first_channel);
  if (least < heddle_first_channel || least >= heddle_end_of_channels)
    __heddle_unsupported("a channel under a number that the system uses, by dup2");
  if (fd == least) return least;
  atomic_fetch_add(&file->descriptors, 1);
  struct file* before = atomic_exchange(&descriptor[least - heddle_first_channel], file);
  if (before != NULL) release(before);
  return least;
}

// --- new ones

static int make_pipe(int ends[2], int flags) {
  if ((flags & ~(O_NONBLOCK | O_CLOEXEC)) != 0) return (int)fail(EINVAL);
  struct channel* c = new_channel(content_bytes, pipe_capacity);
  const bool waits = (flags & O_NONBLOCK) == 0;
  const int reads = new_descriptor(new_file(c, NULL, waits));
  const int writes = new_descriptor(new_file(NULL, c, waits));
  ends[0] = reads;
  ends[1] = writes;
  return 0;
}

static int make_sockets(int domain, int type, int protocol, int ends[2]) {
  const int kind = type & ~(SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (domain != AF_UNIX) return (int)fail(EOPNOTSUPP);
  if (kind != SOCK_STREAM && kind != SOCK_DGRAM && kind != SOCK_SEQPACKET)
    return (int)fail(ESOCKTNOSUPPORT);
  if (protocol != 0 && protocol != AF_UNIX) return (int)fail(EPROTONOSUPPORT);
  const bool waits = (type & SOCK_NONBLOCK) == 0;
  struct channel* ways[2];
  for (int k = 0; k < 2; ++k) {
    ways[k] = new_channel(kind == SOCK_STREAM ? content_bytes : content_messages, socket_capacity);
    ways[k]->is_socket = true;
    ways[k]->is_unconnected = kind == SOCK_DGRAM;
  }
  const int first = new_descriptor(new_file(ways[0], ways[1], waits));
  const int second = new_descriptor(new_file(ways[1], ways[0], waits));
  ends[0] = first;
  ends[1] = second;
  return 0;
}

static int make_number(unsigned initial, int flags) {
  if ((flags & ~(EFD_SEMAPHORE | EFD_CLOEXEC | EFD_NONBLOCK)) != 0) return (int)fail(EINVAL);
  struct channel* c = new_channel(content_number, 0);
  c->number = initial;
  c->takes_one = (flags & EFD_SEMAPHORE) != 0;
  return new_descriptor(new_file(c, c, (flags & EFD_NONBLOCK) == 0));
}

static int make_timer(int clock, int flags) {
  if (clock != CLOCK_MONOTONIC && clock != CLOCK_REALTIME && clock != CLOCK_BOOTTIME)
    return (int)fail(EINVAL);
  if ((flags & ~(TFD_CLOEXEC | TFD_NONBLOCK)) != 0) return (int)fail(EINVAL);
  struct channel* c = new_channel(content_timer, 0);
  c->clock = clock;
  return new_descriptor(new_file(c, NULL, (flags & TFD_NONBLOCK) == 0));
}

// --- calls on one

static long read_from(int fd, const struct iovec* parts, int count, int flags) {
  struct file* file = file_of(fd);
  if (file == NULL) return -1;
  if (file->epoll != NULL) return fail(EINVAL);
  return read_channel(file, parts, count, flags);
}

static long write_to(int fd, const struct iovec* parts, int count, int flags, bool is_socket_call) {
  struct file* file = file_of(fd);
  if (file == NULL) return -1;
  if (file->epoll != NULL) return fail(EINVAL);
  return write_channel(file, parts, count, flags, is_socket_call);
}

static int shut_down(int fd, int how) {
  struct file* file = file_of(fd);
  if (file == NULL) return -1;
  if (file->in == NULL || !file->in->is_socket) return (int)fail(ENOTSOCK);
  if (how != SHUT_RD && how != SHUT_WR && how != SHUT_RDWR) return (int)fail(EINVAL);
  if (how != SHUT_WR) shut_reading(file);
  if (how != SHUT_RD) shut_writing(file);
  return 0;
}

static int how_opened(const struct file* file) {
  if (file->in == NULL) return file->out == NULL ? O_RDWR : O_WRONLY;
  return file->out == NULL && file->in->content != content_timer ? O_RDONLY : O_RDWR;
}

static int control(int fd, int command, long argument) {
  struct file* file = file_of(fd);
  if (file == NULL) return -1;
  switch (command) {
    case F_DUPFD:
    case F_DUPFD_CLOEXEC:
      return copy_descriptor(fd, (int)argument, false);
    case F_GETFD:
    case F_SETFD:
      return 0;  // no program is executed
    case F_GETFL:
      return how_opened(file) | (does_wait(file) ? 0 : O_NONBLOCK);
    case F_SETFL:
      set_waits(file, (argument & O_NONBLOCK) == 0);
      return 0;
    default:
      __heddle_unsupported("fcntl of a channel with this command");
  }
}

static int control_device(int fd, unsigned long request, void* argument) {
  struct file* file = file_of(fd);
  if (file == NULL) return -1;
  if (request == FIONBIO) {
    set_waits(file, *(const int*)argument == 0);
    return 0;
  }
  if (request != FIONREAD || file->in == NULL)
    __heddle_unsupported("ioctl of a channel with this request");
  pthread_mutex_lock(&file->in->mutex);
  const struct segment* first = file->in->first;
  const size_t size = file->in->content == content_messages && first != NULL ? first->size
                                                                             : file->in->size;
  pthread_mutex_unlock(&file->in->mutex);
  *(int*)argument = (int)size;
  return 0;
}

__attribute__((constructor)) static void offer(void) {
  static const struct heddle_channels channels = {
      .pipe = make_pipe,
      .socketpair = make_sockets,
      .eventfd = make_number,
      .timerfd_create = make_timer,
      .timerfd_settime = set_timer,
      .timerfd_gettime = get_timer,
      .epoll_create = create_epoll,
      .epoll_ctl = control_epoll,
      .epoll_wait = wait_epoll,
      .read = read_from,
      .write = write_to,
      .copy = copy_descriptor,
      .close = close_descriptor,
      .shutdown = shut_down,
      .fcntl = control,
      .ioctl = control_device,
      .poll = poll_channels,
  };
  __heddle_use_channels(&channels);
}
