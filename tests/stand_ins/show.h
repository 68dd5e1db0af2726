// What the programs here print: `> call = result`, where the result is a number, or the name of an
// error.
#pragma once

#include <errno.h>
#include <stdio.h>

static inline const char* show_error(long value) {
  switch (value) {
    case 0: return "0";
    case EPERM: return "EPERM";
    case EBUSY: return "EBUSY";
    case EAGAIN: return "EAGAIN";
    case EINVAL: return "EINVAL";
    case EDEADLK: return "EDEADLK";
    case ETIMEDOUT: return "ETIMEDOUT";
    case EOVERFLOW: return "EOVERFLOW";
    case ESRCH: return "ESRCH";
    case ERANGE: return "ERANGE";
    case EINTR: return "EINTR";
    case EFAULT: return "EFAULT";
    case ENOMEM: return "ENOMEM";
    case ENOENT: return "ENOENT";
    case ENOSYS: return "ENOSYS";
    default: return "another error";
  }
}

// The function returns an error.
#define SHOW_ERROR(call) \
  do { \
    long result_ = (long)(call); \
    printf("> %s = %s\n", #call, show_error(result_)); \
    fflush(stdout); \
  } while (0)
// The function returns -1, or something less than 0, and sets errno.
#define SHOW_ERRNO(call) \
  do { \
    errno = 0; \
    long result_ = (long)(call); \
    int error_ = errno; \
    if (result_ < 0) printf("> %s = %ld, %s\n", #call, result_, show_error(error_)); \
    else printf("> %s = %ld\n", #call, result_); \
    fflush(stdout); \
  } while (0)
#define SHOW_NUMBER(expression) \
  do { \
    printf("> %s = %ld\n", #expression, (long)(expression)); \
    fflush(stdout); \
  } while (0)
