#include "runtime/api/uses.hpp"

#include <cstring>
#include <cwchar>

#include "runtime/api/files.hpp"
#include "runtime/api/formats.hpp"
#include "runtime/kernel/current.hpp"
#include "runtime/memory/memory.hpp"
#include "runtime/sys/export.hpp"

namespace heddle::runtime {
namespace {

using abi::Use;

std::uint64_t least(std::uint64_t a, std::uint64_t b) { return a < b ? a : b; }

// The uses of one call.
class Call {
 public:
  Call(std::span<const Use> uses, const std::uint64_t* arguments)
      : uses_(uses), arguments_(arguments) {}

  void tell(const Use& use) const {
    const auto* at = pointer(use.argument);
    const auto how = static_cast<FileUse>(use.measure);
    if (use.what == 'f') return use_stream(at, how);
    if (use.what == 'n') return use_descriptor(static_cast<int>(arguments_[use.argument]), how);
    switch (use.measure) {
      case '#':
        return access(use, at, size_of(use));
      case 'f':
      case 'v':
        return with_list(use, [&](va_list list) { tell_format(at, list); });
      case 't':
        return take_token(at != nullptr ? at : *pointer_to<char*>(use.argument + 2),
                          pointer(use.argument + 1), true);
      case 'T':
        plain_read(at, sizeof(char*));
        plain_write(at, sizeof(char*));
        return take_token(*pointer_to<char*>(use.argument), pointer(use.argument + 1), false);
      case 'l':
        plain_read(at, sizeof(char*));
        plain_write(at, sizeof(char*));
        return access(use, *pointer_to<char*>(use.argument),
                      *pointer_to<std::uint64_t>(use.argument + 1));
      case '+':
        plain_read(at, unit_string(at, use.bytes, ~0ULL));
        access_string(use, at + unit_string(at, use.bytes, ~0ULL) - use.bytes);
        return;
      default:
        access_string(use, at);
    }
  }

 private:
  const char* pointer(unsigned argument) const {
    return reinterpret_cast<const char*>(arguments_[argument]);
  }
  template <typename T>
  const T* pointer_to(unsigned argument) const {
    return reinterpret_cast<const T*>(arguments_[argument]);
  }
  // What bounds it; without an argument, there is no bound.
  std::uint64_t bound(std::uint8_t argument) const {
    return argument == abi::no_argument ? ~0ULL >> 8 : arguments_[argument];
  }

  // The bytes of a string of such units, with its end, but of at most `most` units.
  static std::uint64_t unit_string(const char* s, std::uint32_t unit, std::uint64_t most) {
    if (s == nullptr) return 0;
    const std::uint64_t length =
        unit == 1 ? strnlen(s, least(most, ~0ULL >> 8))
                  : wcsnlen(reinterpret_cast<const wchar_t*>(s), least(most, ~0ULL >> 8));
    return least(length + 1, most) * unit;
  }
  // Up to and including this byte.
  static std::uint64_t up_to(const char* from, int byte, std::uint64_t most) {
    const auto* found = static_cast<const char*>(std::memchr(from, byte, most));
    return found == nullptr ? most : static_cast<std::uint64_t>(found - from) + 1;
  }

  std::uint64_t size_of(const Use& use) const {
    const char* at = pointer(use.argument);
    switch (use.measure) {
      case '#':  // the last byte of an object is for threads that leave it, see leave_object
        return use.is_object() ? use.bytes - 1 : use.bytes;
      case 'n':
        return bound(use.first) * use.bytes *
               (use.second == abi::no_argument ? 1 : arguments_[use.second]);
      case 's':
        return unit_string(at, use.bytes, bound(use.second));
      case '?':
        return up_to(use.what == 'w' ? pointer(use.argument + 1) : at,
                     static_cast<int>(arguments_[use.first]), arguments_[use.second]);
      case '=':
        return unit_string(pointer(use.first), use.bytes, bound(use.second));
      case '+':  // always with an end
        return least(unit_string(pointer(use.first), use.bytes, ~0ULL),
                     least(bound(use.second), ~0ULL >> 16) * use.bytes + use.bytes);
      default:
        return format_size(use);
    }
  }
  std::uint64_t format_size(const Use& use) const {
    std::uint64_t size = 0;
    for (const Use& format : uses_)
      if (format.argument == use.first)
        with_list(format,
                  [&](va_list list) { size = formatted_size(pointer(format.argument), list); });
    return least(size, bound(use.second));
  }

  // The arguments of a format.
  template <typename Function>
  void with_list(const Use& format, Function function) const {
    if (format.measure == 'v')
      return function(*reinterpret_cast<va_list*>(arguments_[format.argument + 1]));
    ListOfWords words(arguments_ + format.argument + 1);
    function(words.list);
  }

  static void access(const Use& use, const void* at, std::uint64_t size) {
    if (at == nullptr || size == 0) return;
    if (use.what == 'r' || use.what == 'm') plain_read(at, size);
    if (use.what != 'r') plain_write(at, size);
  }
  // Where the access is a step, another thread may make a string longer before it is taken.
  void access_string(const Use& use, const char* at) const {
    std::uint64_t told = 0;
    for (std::uint64_t size = size_of(use); told < size; size = size_of(use)) {
      access(use, at + told, size - told);
      told = size;
    }
  }

  // It is read up to the end of the token, and that is written; unless the string ends there.
  static void take_token(const char* from, const char* delimiters, bool skips) {
    if (from == nullptr || delimiters == nullptr) return;
    const std::uint64_t begin = skips ? std::strspn(from, delimiters) : 0;
    const std::uint64_t end = begin + std::strcspn(from + begin, delimiters);
    plain_read(from, end + 1);
    if (from[end] != 0) plain_write(from + end, 1);
  }

  std::span<const Use> uses_;
  const std::uint64_t* arguments_;
};

}  // namespace

void tell_uses(std::span<const Use> uses, const std::uint64_t* arguments, bool late) {
  const Call call(uses, arguments);
  for (const bool files : {false, true})  // last, so that their order is that of the calls
    for (const Use& use : uses)
      if (use.is_file() == files && is_told(use, late, arguments)) call.tell(use);
}

}  // namespace heddle::runtime

using namespace heddle::runtime;

HEDDLE_EXPORT void __heddle_before(const heddle::abi::Use* uses, std::uint32_t count,
                                   const std::uint64_t* arguments) {
  if (is_running()) tell_uses({uses, count}, arguments);
}
HEDDLE_EXPORT void __heddle_private(std::uint32_t arguments) {
  if (is_running()) current().private_arguments = arguments;
}
