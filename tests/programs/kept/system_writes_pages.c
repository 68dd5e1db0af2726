// The system writes into memory that no run has written before, as it does without Heddle.
// expect: verified
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <unistd.h>

#define PAGE __attribute__((aligned(4096)))
static PAGE struct stat status, other, raw;
static PAGE char buffer[4096], pieces[4096], streamed[8192], directory[4096], link_text[4096];
static PAGE struct rusage usage;
static PAGE struct utsname name;
static PAGE struct rlimit limit;
static PAGE char direct[4096];
static PAGE unsigned groups[1024];

static long enter(long number, long a, long b, long c) {
  long result;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c)
                   : "rcx", "r11", "memory");
  return result;
}

static void* work(void* argument) {
  const int fd = open("/etc/passwd", O_RDONLY);
  assert(fd >= 0);
  assert(fstat(fd, &status) == 0 && status.st_size > 0);
  assert(stat("/etc/passwd", &other) == 0 && other.st_size == status.st_size);
  assert(syscall(SYS_fstat, fd, &raw) == 0 && raw.st_size == status.st_size);
  assert(pread(fd, buffer, 4, 0) == 4 && memcmp(buffer, "root", 4) == 0);
  struct iovec piece = {pieces, 4};
  assert(readv(fd, &piece, 1) == 4 && memcmp(pieces, "root", 4) == 0);
  assert(enter(SYS_read, fd, (long)direct, 4) == 4);
  assert(getcwd(directory, sizeof directory) != 0 && directory[0] == '/');
  assert(readlink("/proc/self/exe", link_text, sizeof link_text) > 0);
  assert(getrusage(RUSAGE_SELF, &usage) == 0);
  assert(uname(&name) == 0 && name.sysname[0] == 'L');
  assert(getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur > 0);
  assert(syscall(SYS_getgroups, 1024, groups) >= 0);
  close(fd);
  FILE* file = fopen("/etc/passwd", "r");
  assert(fread(streamed, 1, sizeof streamed, file) > 0 && streamed[0] == 'r');
  fclose(file);
  return argument;
}

int main(void) {
  pthread_t t;
  for (int k = 0; k < 4096; ++k) assert(buffer[k] == 0 && streamed[k] == 0 && direct[k] == 0);
  assert(status.st_size == 0 && usage.ru_maxrss == 0 && name.sysname[0] == 0);
  pthread_create(&t, 0, work, 0);
  pthread_join(t, 0);
  return 0;
}
