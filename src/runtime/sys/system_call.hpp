// System calls, straight to the system: in a worker, the functions that the C library has for them
// are the program's, and `errno` is the program's too.
#pragma once

#include <cerrno>

namespace heddle::runtime {

// Negative: an error, as the system numbers it.
inline long system_call(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0,
                        long f = 0) {
  long result;
  register long r10 asm("r10") = d;
  register long r8 asm("r8") = e;
  register long r9 asm("r9") = f;
  asm volatile("syscall"
               : "=a"(result)
               : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
               : "rcx", "r11", "memory");
  return result;
}

// What a function of the C library returns where the system returned this; sets errno.
inline long result_of(long result) {
  constexpr long last_error = -4095;  // of the system: lower values are addresses
  if (result >= 0 || result < last_error) return result;
  errno = static_cast<int>(-result);
  return -1;
}

}  // namespace heddle::runtime
