#include "runtime/api/formats.hpp"

#include <cstdio>
#include <cstring>
#include <cwchar>

#include "runtime/memory/memory.hpp"

namespace heddle::runtime {
namespace {

// As the calling convention has it.
struct RawList {
  std::uint32_t next_integer, next_float;
  const void *in_memory, *in_registers;
};
static_assert(sizeof(RawList) == sizeof(va_list));

struct Directive {
  char conversion = 0;
  char length = 0;  // h l L j z t; H for hh, q for ll
  bool has_precision = false;
  std::uint64_t precision = 0;
};

// Iterates over a format and takes the arguments that it asks for.
class Format {
 public:
  Format(const char* text, va_list arguments) : at_(text) { va_copy(arguments_, arguments); }
  ~Format() { va_end(arguments_); }
  Format(const Format&) = delete;
  Format& operator=(const Format&) = delete;

  void tell() {
    while ((at_ = std::strchr(at_, '%')) != nullptr) {
      ++at_;
      const Directive d = directive();
      if (d.conversion == 0) return;  // at the end, or with numbered arguments
      tell(d);
    }
  }

 private:
  std::uint64_t number() {
    if (*at_ == '*') {
      ++at_;
      const int n = va_arg(arguments_, int);
      return n < 0 ? ~0ULL : static_cast<std::uint64_t>(n);
    }
    std::uint64_t n = 0;
    for (; *at_ >= '0' && *at_ <= '9'; ++at_) n = n * 10 + static_cast<std::uint64_t>(*at_ - '0');
    return n;
  }
  Directive directive() {
    Directive d;
    at_ += std::strspn(at_, "-+ #0'I");
    number();
    if (*at_ == '$') return d;
    if (*at_ == '.') {
      ++at_;
      d.precision = number();
      d.has_precision = d.precision != ~0ULL;
    }
    while (*at_ != 0 && std::strchr("hlLjztqZ", *at_) != nullptr) {
      const bool twice = d.length == *at_;
      d.length = !twice ? *at_ : *at_ == 'h' ? 'H' : 'q';
      ++at_;
    }
    if (*at_ != 0) d.conversion = *at_++;
    return d;
  }

  void tell(const Directive& d) {
    if (std::strchr("diouxXcCp", d.conversion) != nullptr) {
      static_cast<void>(va_arg(arguments_, long));
    } else if (std::strchr("eEfFgGaA", d.conversion) != nullptr) {
      if (d.length == 'L')
        static_cast<void>(va_arg(arguments_, long double));
      else
        static_cast<void>(va_arg(arguments_, double));
    } else if (d.conversion == 's' || d.conversion == 'S') {
      const auto* s = va_arg(arguments_, const char*);
      if (s != nullptr) read(s, d);
    } else if (d.conversion == 'n') {
      auto* count = va_arg(arguments_, void*);
      plain_write(count, d.length == 'H' ? 1 : d.length == 'h' ? 2 : d.length == 0 ? 4 : 8);
    }
  }
  static void read(const char* s, const Directive& d) {
    const std::uint64_t most = d.has_precision ? d.precision : ~0ULL >> 8;
    if (d.length == 'l' || d.conversion == 'S')
      plain_read(s, wcsnlen(reinterpret_cast<const wchar_t*>(s), most) * sizeof(wchar_t));
    else
      read_string(s, most);
  }

  const char* at_;
  va_list arguments_;
};

}  // namespace

ListOfWords::ListOfWords(const std::uint64_t* words) {
  const RawList raw{6 * 8, 6 * 8 + 8 * 16, words, nullptr};
  std::memcpy(list, &raw, sizeof raw);
}

void tell_format(const char* format, va_list arguments) {
  read_string(format);
  Format(format, arguments).tell();
}

std::uint64_t formatted_size(const char* format, va_list arguments) {
  va_list copy;
  va_copy(copy, arguments);
  // A count (%n) would be written here before it is reported.
  const int length =
      std::strstr(format, "%n") != nullptr ? 0 : std::vsnprintf(nullptr, 0, format, copy);
  va_end(copy);
  return length < 0 ? 0 : static_cast<std::uint64_t>(length) + 1;
}

}  // namespace heddle::runtime
