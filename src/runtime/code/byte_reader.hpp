// Numbers as tables for unwinding have them (DWARF, and .eh_frame of the Linux Standard Base).
#pragma once

#include <cstdint>
#include <cstring>

namespace heddle::runtime {

class ByteReader {
 public:
  explicit ByteReader(const void* at) : at_(static_cast<const std::uint8_t*>(at)) {}

  const std::uint8_t* at() const { return at_; }
  void skip(std::uint64_t bytes) { at_ += bytes; }

  template <typename Number>
  Number take() {
    Number n;
    std::memcpy(&n, at_, sizeof n);
    at_ += sizeof n;
    return n;
  }
  std::uint64_t take_unsigned() {
    std::uint64_t out = 0;
    for (unsigned shift = 0;; shift += 7) {
      const std::uint8_t byte = *at_++;
      if (shift < 64) out |= std::uint64_t{byte & 0x7fU} << shift;
      if ((byte & 0x80) == 0) return out;
    }
  }
  std::int64_t take_signed() {
    std::uint64_t out = 0;
    for (unsigned shift = 0;;) {
      const std::uint8_t byte = *at_++;
      if (shift < 64) out |= std::uint64_t{byte & 0x7fU} << shift;
      shift += 7;
      if ((byte & 0x80) != 0) continue;
      if ((byte & 0x40) != 0 && shift < 64) out |= ~0ULL << shift;
      return static_cast<std::int64_t>(out);
    }
  }

  // A pointer in the encoding given, relative to where it is if the encoding says so. False: the
  // encoding is not known, or it is a pointer to a pointer, which need not be known.
  static constexpr unsigned omitted = 0xff;
  bool take_encoded(unsigned encoding, std::uint64_t& out) {
    const auto here = reinterpret_cast<std::uint64_t>(at_);
    switch (encoding & 0x0f) {
      case 0x00:
      case 0x04:
      case 0x0c:
        out = take<std::uint64_t>();
        break;
      case 0x01:
        out = take_unsigned();
        break;
      case 0x02:
        out = take<std::uint16_t>();
        break;
      case 0x03:
        out = take<std::uint32_t>();
        break;
      case 0x09:
        out = static_cast<std::uint64_t>(take_signed());
        break;
      case 0x0a:
        out = static_cast<std::uint64_t>(std::int64_t{take<std::int16_t>()});
        break;
      case 0x0b:
        out = static_cast<std::uint64_t>(std::int64_t{take<std::int32_t>()});
        break;
      default:
        return false;
    }
    if ((encoding & 0x70) == 0x10) {
      if (out != 0) out += here;
    } else if ((encoding & 0x70) != 0) {
      return false;
    }
    return (encoding & 0x80) == 0;
  }

 private:
  const std::uint8_t* at_;
};

}  // namespace heddle::runtime
