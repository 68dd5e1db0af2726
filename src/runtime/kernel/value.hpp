// What is in memory, as a number.
#pragma once

#include <cstdint>
#include <cstring>

namespace heddle::runtime {

// What is there now; for more than eight bytes, the first eight of them.
inline std::uint64_t value_at(const void* address, std::uint64_t size) {
  const auto read = [&]<typename T>(T value) -> std::uint64_t {
    std::memcpy(&value, address, sizeof value);
    return value;
  };
  switch (size) {
    case 1:
      return read(std::uint8_t{});
    case 2:
      return read(std::uint16_t{});
    case 4:
      return read(std::uint32_t{});
    default: {
      std::uint64_t value = 0;
      if (size >= sizeof value) return read(value);
      std::memcpy(&value, address, size);
      return value;
    }
  }
}

}  // namespace heddle::runtime
