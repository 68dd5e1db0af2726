// The address of the thread-local storage of the current thread, as the processor has it.
#pragma once

#include <cstdint>

namespace heddle::runtime {

inline std::uint64_t fs_base() {
  std::uint64_t value;
  asm volatile("movq %%fs:0, %0" : "=r"(value));  // the first word there is its own address
  return value;
}

}  // namespace heddle::runtime
