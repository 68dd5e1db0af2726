// Functions by which a run can change what is outside of the process: that is not put back, and has
// to be reported. They do what the C library does. (Under other names in C++: how they are declared
// does not matter.)
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/syscall.h>

#include <cstdarg>
#include <cstdio>
#include <cstring>

#include "runtime/api/cancellation.hpp"
#include "runtime/api/files.hpp"
#include "runtime/api/uses.hpp"
#include "runtime/kernel/current.hpp"
#include "runtime/kernel/findings.hpp"
#include "runtime/memory/memory.hpp"
#include "runtime/sys/export.hpp"
#include "runtime/sys/process.hpp"

namespace heddle::runtime {
namespace {

void note_outside() {
  if (is_running()) note(abi::note_outside);
}

void note_path(const char* path, bool for_writing) {
  if (for_writing && path != nullptr && std::strncmp(path, "/dev/", 5) != 0) note_outside();
}

long open_at(long directory, const char* path, int flags, mode_t mode) {
  note_path(path, (flags & (O_ACCMODE | O_CREAT | O_TRUNC)) != O_RDONLY);
  const long fd = system_call(SYS_openat, directory, reinterpret_cast<long>(path), flags, mode);
  note_opened(static_cast<int>(fd));
  return result_of(fd);
}

bool is_for_writing(const char* mode) { return std::strpbrk(mode, "wa+") != nullptr; }

std::FILE* opened(std::FILE* stream) {
  if (stream != nullptr) note_opened(fileno(stream));
  return stream;
}

using OpenStream = std::FILE* (*)(const char*, const char*);
using ReopenStream = std::FILE* (*)(const char*, const char*, std::FILE*);
using Any = long (*)(long, long, long, long, long, long);

// The function of the C library. (No variable of the caller is initialised by a function: that
// would be a step of the program.)
template <typename Function>
Function real(const char* name, void*& known) {
  if (known == nullptr) known = dlsym(RTLD_NEXT, name);
  return reinterpret_cast<Function>(known);
}

}  // namespace
}  // namespace heddle::runtime

using namespace heddle::runtime;

#define HEDDLE_OPEN(name)                                          \
  HEDDLE_EXPORT int own_##name(const char*, int, ...) asm(#name);  \
  int own_##name(const char* path, int flags, ...) {               \
    va_list list;                                                  \
    va_start(list, flags);                                         \
    const auto mode = va_arg(list, mode_t);                        \
    va_end(list);                                                  \
    cancellation_point();                                          \
    tell<#name>(HEDDLE_CALLED_FROM, path, flags);                  \
    return static_cast<int>(open_at(AT_FDCWD, path, flags, mode)); \
  }
HEDDLE_OPEN(open)
HEDDLE_OPEN(open64)

#define HEDDLE_OPENAT(name)                                            \
  HEDDLE_EXPORT int own_##name(int, const char*, int, ...) asm(#name); \
  int own_##name(int directory, const char* path, int flags, ...) {    \
    va_list list;                                                      \
    va_start(list, flags);                                             \
    const auto mode = va_arg(list, mode_t);                            \
    va_end(list);                                                      \
    cancellation_point();                                              \
    tell<#name>(HEDDLE_CALLED_FROM, directory, path, flags);           \
    return static_cast<int>(open_at(directory, path, flags, mode));    \
  }
HEDDLE_OPENAT(openat)
HEDDLE_OPENAT(openat64)

#define HEDDLE_OPEN_STREAM(name)                                            \
  HEDDLE_EXPORT std::FILE* own_##name(const char*, const char*) asm(#name); \
  std::FILE* own_##name(const char* path, const char* mode) {               \
    static void* known;                                                     \
    tell<#name>(HEDDLE_CALLED_FROM, path, mode);                            \
    note_path(path, is_for_writing(mode));                                  \
    return opened(real<OpenStream>(#name, known)(path, mode));              \
  }
HEDDLE_OPEN_STREAM(fopen)
HEDDLE_OPEN_STREAM(fopen64)

#define HEDDLE_REOPEN_STREAM(name)                                                      \
  HEDDLE_EXPORT std::FILE* own_##name(const char*, const char*, std::FILE*) asm(#name); \
  std::FILE* own_##name(const char* path, const char* mode, std::FILE* stream) {        \
    static void* known;                                                                 \
    tell<#name>(HEDDLE_CALLED_FROM, path, mode, stream);                                \
    note_path(path, is_for_writing(mode));                                              \
    return opened(real<ReopenStream>(#name, known)(path, mode, stream));                \
  }
HEDDLE_REOPEN_STREAM(freopen)
HEDDLE_REOPEN_STREAM(freopen64)

// None of these takes more than six numbers or addresses.
#define HEDDLE_OUTSIDE_THEN(name, note_result)                                  \
  HEDDLE_EXPORT long own_##name(long, long, long, long, long, long) asm(#name); \
  long own_##name(long a, long b, long c, long d, long e, long f) {             \
    static void* known;                                                         \
    tell<#name>(HEDDLE_CALLED_FROM, a, b, c, d, e, f);                          \
    note_outside();                                                             \
    const long result = real<Any>(#name, known)(a, b, c, d, e, f);              \
    note_result(static_cast<int>(result));                                      \
    return result;                                                              \
  }
#define HEDDLE_OUTSIDE(name) HEDDLE_OUTSIDE_THEN(name, static_cast<void>)
#define HEDDLE_OUTSIDE_OPENED(name) HEDDLE_OUTSIDE_THEN(name, note_opened)
HEDDLE_OUTSIDE_OPENED(creat)
HEDDLE_OUTSIDE_OPENED(creat64)
HEDDLE_OUTSIDE(unlink)
HEDDLE_OUTSIDE(unlinkat)
HEDDLE_OUTSIDE(remove)
HEDDLE_OUTSIDE(rename)
HEDDLE_OUTSIDE(renameat)
HEDDLE_OUTSIDE(renameat2)
HEDDLE_OUTSIDE(mkdir)
HEDDLE_OUTSIDE(mkdirat)
HEDDLE_OUTSIDE(rmdir)
HEDDLE_OUTSIDE(link)
HEDDLE_OUTSIDE(linkat)
HEDDLE_OUTSIDE(symlink)
HEDDLE_OUTSIDE(symlinkat)
HEDDLE_OUTSIDE(truncate)
HEDDLE_OUTSIDE(truncate64)
HEDDLE_OUTSIDE(ftruncate)
HEDDLE_OUTSIDE(ftruncate64)
HEDDLE_OUTSIDE(chmod)
HEDDLE_OUTSIDE(fchmod)
HEDDLE_OUTSIDE(fchmodat)
HEDDLE_OUTSIDE(chown)
HEDDLE_OUTSIDE(lchown)
HEDDLE_OUTSIDE(fchown)
HEDDLE_OUTSIDE(fchownat)
HEDDLE_OUTSIDE(mkfifo)
HEDDLE_OUTSIDE(mkfifoat)
HEDDLE_OUTSIDE(mknod)
HEDDLE_OUTSIDE(mknodat)
HEDDLE_OUTSIDE(utime)
HEDDLE_OUTSIDE(utimes)
HEDDLE_OUTSIDE(utimensat)
HEDDLE_OUTSIDE(futimens)
HEDDLE_OUTSIDE(setxattr)
HEDDLE_OUTSIDE(fsetxattr)
HEDDLE_OUTSIDE_OPENED(mkstemp)
HEDDLE_OUTSIDE_OPENED(mkstemp64)
HEDDLE_OUTSIDE_OPENED(mkostemp)
HEDDLE_OUTSIDE(mkdtemp)
HEDDLE_OUTSIDE(connect)
HEDDLE_OUTSIDE(bind)
HEDDLE_OUTSIDE_OPENED(shm_open)
HEDDLE_OUTSIDE(shm_unlink)
HEDDLE_OUTSIDE(mq_open)
HEDDLE_OUTSIDE(mq_unlink)
HEDDLE_OUTSIDE(mq_send)
HEDDLE_OUTSIDE(msgget)
HEDDLE_OUTSIDE(semget)
HEDDLE_OUTSIDE(semop)
HEDDLE_OUTSIDE(shmget)
HEDDLE_OUTSIDE(nice)
HEDDLE_OUTSIDE(setpriority)

// What it reads is more than a row of functions.h can say.
HEDDLE_EXPORT int own_msgsnd(int, const void*, std::size_t, int) asm("msgsnd");
int own_msgsnd(int queue, const void* message, std::size_t size, int flags) {
  static void* known;
  if (message != nullptr) plain_read(message, sizeof(long) + size);
  note_outside();
  return real<int (*)(int, const void*, std::size_t, int)>("msgsnd", known)(queue, message, size,
                                                                            flags);
}
