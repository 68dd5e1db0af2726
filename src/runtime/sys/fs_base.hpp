// Where the thread-local storage of the current thread is, to the processor.
#pragma once

#include <cstdint>

namespace heddle::runtime {

inline std::uint64_t fs_base() {
  std::uint64_t value;
  asm volatile("movq %%fs:0, %0" : "=r"(value));  // the first word there is its own address
  return value;
}

}  // namespace heddle::runtime
