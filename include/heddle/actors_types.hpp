// Types of processes and messages: a part of <heddle/actors.hpp>.
#ifndef HEDDLE_ACTORS_TYPES_HPP
#define HEDDLE_ACTORS_TYPES_HPP

#include <heddle/actors.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace heddle {

// A process, by name: copied freely, also in messages, and valid after its end.
class process {
 public:
  constexpr process() = default;
  constexpr explicit process(heddle_process handle) : handle_(handle) {}

  constexpr heddle_process handle() const { return handle_; }
  constexpr explicit operator bool() const { return handle_ != 0; }
  friend constexpr bool operator==(process, process) = default;
  friend constexpr auto operator<=>(process, process) = default;

  // Waits until it has ended.
  void join() const { heddle_join(handle_); }

 private:
  heddle_process handle_ = 0;
};

inline process self() { return process(heddle_self()); }

struct tag {
  std::uint64_t value = 0;
  constexpr explicit tag(std::uint64_t v) : value(v) {}
};
struct any_tag_t {};
inline constexpr any_tag_t any_tag;

// How a process ended. Messages of links (exited) and of monitors (down).
struct ended {
  process which;
  std::uint64_t reference = 0;
  int reason = 0;
  std::string text;
};
struct exited : ended {};
struct down : ended {};

namespace actors_detail {

template <typename T>
constexpr std::string_view pretty() {
  return __PRETTY_FUNCTION__;
}
// "[with T = Ping; ..." of g++, "[T = Ping]" of clang++
template <typename T>
struct name_of {
  static constexpr std::size_t begin = pretty<T>().find("T = ") + 4;
  static constexpr std::size_t end = std::min(pretty<T>().find(';', begin), pretty<T>().rfind(']'));
  static constexpr auto text = [] {
    std::array<char, end - begin + 1> out{};
    for (std::size_t k = begin; k < end; ++k) out[k - begin] = pretty<T>()[k];
    return out;
  }();
};

template <typename T>
void destroy(void* data) {
  std::destroy_at(static_cast<T*>(data));
}
template <typename T>
inline constexpr heddle_kind kind = {name_of<T>::text.data(), sizeof(T), destroy<T>, 0};
template <typename T>
constexpr const heddle_kind* kind_of() {
  static_assert(alignof(T) <= alignof(heddle_message), "a message of this type is not aligned");
  if constexpr (std::is_same_v<T, exited>)
    return &heddle_kind_exit;
  else if constexpr (std::is_same_v<T, down>)
    return &heddle_kind_down;
  else
    return &kind<T>;
}

struct deleter {
  void operator()(heddle_message* m) const { heddle_free_message(m); }
};
using owned = std::unique_ptr<heddle_message, deleter>;

template <typename T>
T& data_of(const heddle_message* m) {
  return *std::launder(static_cast<T*>(heddle_data(m)));
}

template <typename T>
T value_of(heddle_message* m) {
  if constexpr (std::is_base_of_v<ended, T>) {
    const auto& e = data_of<heddle_ended>(m);
    T out;
    static_cast<ended&>(out) = {process(e.process), e.reference, e.reason, e.text};
    return out;
  } else {
    return std::move(data_of<T>(m));
  }
}

struct pattern_base {
  std::uint64_t tag = 0;
  bool any_tag = false;
};

// Asks the predicate, and keeps what it throws.
template <typename T, typename Predicate>
struct asked {
  const Predicate* predicate;
  std::exception_ptr* thrown;

  static int ask(void* context, const heddle_message* m) noexcept {
    const auto& self = *static_cast<const asked*>(context);
    try {
      if constexpr (std::is_base_of_v<ended, T>)
        return (*self.predicate)(value_of<T>(const_cast<heddle_message*>(m))) ? 1 : 0;
      else
        return (*self.predicate)(std::as_const(data_of<T>(m))) ? 1 : 0;
    } catch (...) {
#ifndef HEDDLE
      *self.thrown = std::current_exception();
#endif
      return -1;
    }
  }
};

struct everything {
  template <typename T>
  constexpr bool operator()(const T&) const {
    return true;
  }
};

}  // namespace actors_detail

}  // namespace heddle

#endif  // HEDDLE_ACTORS_TYPES_HPP
