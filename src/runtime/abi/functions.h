// What is known of the functions that programs call and do not define: one row for each function
// that the runtime stands in for, or whose effect on memory it knows. The pass, the runtime and the
// engine use it. A function without a row is named as a limit of what was verified.
//
// `uses` has a word for each argument, up to the last that there is something to say about:
//
//   -          nothing: a number, or a pointer through which nothing is accessed
//   .          the same for a pointer that is not kept either
//   r16 w16    reads, writes 16 bytes; m16 reads them and writes them
//   r[2]       as many as argument 2 says (the first is 0); r[1*2] the product; r[2]x4 four times
//   rs rs[2]   a string with its end; at most as many as argument 2 says
//   r?1[2]     as many as argument 2 says, or up to the byte that is argument 1; w?2[3] a copy of
//              that much of the next argument
//   w=1 w=1[2] a copy of the string that is argument 1; of at most that many bytes
//   w+1 w+1[2] the same, after the string that is there
//   rf rv      a format, and what it says of the arguments after it, or of the va_list there
//   w%1 w%2[0] what a format makes, at most that many bytes
//   wt wT      a string of which a token is taken: it, or what it points to
//   wl         *lineptr, as long as the number at the next argument says
//   o40        uses a synchronisation object of 40 bytes; i40 begins, d40 ends its life
//   fw         uses a stream, moves its position; fr only looks, fo puts something out, fc closes
//              it
//   nw         the same for a descriptor
//
// Strings of units of four bytes have x4 after them. What follows a word: `>` the access is made
// after the function has waited for what it waits for, not before; `^` the function keeps the
// pointer, or returns it. Null pointers are skipped. (Where the pass inserts the hook, `>` is for
// numbers of bytes.)
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace heddle::abi {

enum class FunctionKind : std::uint8_t {
  stand_in,  // the runtime has it, and reports what it does
  opaque,    // likewise, but it calls the program back, or changes what the runtime does not see
  refused,   // the runtime has it, and refuses the program
  unseen,    // the runtime has it, but does not know what it does to memory
  told,      // a hook before each call reports what it does
  own_hook,  // the same, by __heddle_before_NAME with the same arguments
};

struct Function {
  std::string_view name;  // with * at its end: all names that begin so
  FunctionKind kind;
  std::string_view uses = {};
};

// One word, for the runtime.
struct Use {
  std::uint8_t argument;
  char what;     // r, w, m, o, i, d, f, n, .
  char measure;  // # bytes; n units; s ? = + f v % t T l as above; of files, how: see FileUse
  bool late, kept;
  std::uint8_t first, second;  // arguments that it is measured by
  std::uint8_t unused;
  std::uint32_t bytes;  // all, or of a unit

  constexpr bool is_object() const { return what == 'o' || what == 'i' || what == 'd'; }
  constexpr bool is_file() const { return what == 'f' || what == 'n'; }
};
inline constexpr std::uint8_t no_argument = 0xff;

struct Uses {
  std::array<Use, 6> list{};
  std::uint32_t count = 0;

  constexpr std::span<const Use> all() const { return {list.data(), count}; }
};

namespace detail {

// Parses the words. A mistake in them does not compile.
class Words {
 public:
  constexpr explicit Words(std::string_view text) : text_(text) {}

  constexpr Uses read() {
    Uses out;
    for (std::uint8_t argument = 0; at_ < text_.size(); ++argument) {
      if (!take('-')) out.list.at(out.count++) = word(argument);
      if (at_ < text_.size() && !take(' ')) throw "words are not apart";
    }
    return out;
  }

 private:
  constexpr bool take(char c) {
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  constexpr bool is_digit() const {
    return at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9';
  }
  constexpr std::uint32_t number() {
    if (!is_digit()) throw "there is no number";
    std::uint32_t n = 0;
    while (is_digit()) n = n * 10 + static_cast<std::uint32_t>(text_[at_++] - '0');
    return n;
  }
  constexpr std::uint8_t in_brackets() {
    if (!take('[')) return no_argument;
    const auto n = static_cast<std::uint8_t>(number());
    if (!take(']')) throw "a bracket is open";
    return n;
  }
  constexpr Use word(std::uint8_t argument) {
    Use use{argument, text_[at_++], '#', false, false, no_argument, no_argument, 0, 1};
    if (use.what == '.') return use;
    if (use.is_file()) {
      use.measure = text_[at_++];
      if (std::string_view("rwoc").find(use.measure) == std::string_view::npos) throw "no such use";
      return use;
    }
    if (std::string_view("rwmoid").find(use.what) == std::string_view::npos) throw "no such use";
    measure(use);
    if (take('x')) use.bytes = number();
    use.late = take('>');
    use.kept = take('^') || use.is_object();
    return use;
  }
  constexpr void measure(Use& use) {
    if (is_digit()) {
      use.bytes = number();
    } else if (take('[')) {
      use.measure = 'n';
      use.first = static_cast<std::uint8_t>(number());
      if (take('*')) use.second = static_cast<std::uint8_t>(number());
      if (!take(']')) throw "a bracket is open";
    } else {
      use.measure = text_[at_++];
      if (std::string_view("s?=+fv%tTl").find(use.measure) == std::string_view::npos)
        throw "no such measure";
      if (is_digit()) use.first = static_cast<std::uint8_t>(number());
      use.second = in_brackets();
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace detail

constexpr Uses uses_of(const Function& f) { return detail::Words(f.uses).read(); }

}  // namespace heddle::abi

#include "runtime/abi/functions_of_libraries.h"
#include "runtime/abi/functions_of_runtime.h"
#include "runtime/abi/functions_without_accesses.h"

namespace heddle::abi {

// Whether the pattern, which may end in *, matches this name.
constexpr bool fits(std::string_view pattern, std::string_view name) {
  if (!pattern.ends_with('*')) return pattern == name;
  return name.starts_with(pattern.substr(0, pattern.size() - 1));
}

constexpr bool is_mathematics(std::string_view name) {
  std::string_view plain = name;
  if (plain.ends_with('f') || plain.ends_with('l')) plain.remove_suffix(1);
  for (const std::string_view m : mathematics)
    if (m == name || m == plain) return true;
  return false;
}

constexpr bool is_harmless(std::string_view name) {
  for (const std::string_view pattern : harmless_functions)
    if (fits(pattern, name)) return true;
  return is_mathematics(name) || name.find("__throw_") != std::string_view::npos;
}

// The row of a function that the runtime has, or whose accesses are known; or null. Functions that
// check the size of a buffer and are otherwise the same share a row: __memcpy_chk is memcpy.
constexpr const Function* find_function(std::string_view name) {
  for (const Function& f : runtime_functions)
    if (fits(f.name, name)) return &f;
  for (const Function& f : library_functions)
    if (f.name == name) return &f;
  if (!name.starts_with("__") || !name.ends_with("_chk")) return nullptr;
  name = name.substr(2, name.size() - 6);
  return name.starts_with("mem") || name.starts_with("st") ? find_function(name) : nullptr;
}

}  // namespace heddle::abi
