// Processes and their mailboxes, for C++20: <heddle/actors.h> with types.
//
//   heddle::process echo = heddle::spawn([] {
//     for (bool more = true; more;)
//       heddle::receive(heddle::on<Ping>([](Ping p) { heddle::send(p.from, Pong{p.number}); }),
//                       heddle::on<Stop>([&](Stop) { more = false; }));
//   });
//   heddle::send(echo, Ping{heddle::self(), 1});
//   Pong answer = heddle::receive<Pong>();
//   Pong mine = heddle::receive<Pong>([](const Pong& p) { return p.number == 1; });
//   std::optional<Pong> late = heddle::receive<Pong>(heddle::after(10ms));
//   heddle::send(echo, Stop{});
//   echo.join();
//
// Any type can be sent that can be moved. What a receive takes is the oldest message of this type,
// with this tag (0 unless it says otherwise: heddle::tag, heddle::any_tag), for which the predicate
// holds. A predicate must only look.
#ifndef HEDDLE_ACTORS_HPP
#define HEDDLE_ACTORS_HPP

#if __cplusplus < 202002L
#error "<heddle/actors.hpp> is for C++20: -std=c++20"
#endif

#include <cxxabi.h>

#include <chrono>
#include <concepts>
#include <functional>
#include <heddle/actors_types.hpp>
#include <optional>
#include <tuple>

#define HEDDLE_ACTORS_INLINE __attribute__((always_inline))

namespace heddle {

// A limit of a receive, and what to do when it is reached. 0: not to wait.
template <typename Handler = void>
struct time_limit {
  std::chrono::nanoseconds time;
  Handler handler;
};
template <>
struct time_limit<void> {
  std::chrono::nanoseconds time;
};
template <typename Rep, typename Period>
time_limit<void> after(std::chrono::duration<Rep, Period> time) {
  return {std::chrono::ceil<std::chrono::nanoseconds>(time)};
}
template <typename Rep, typename Period, typename Handler>
time_limit<Handler> after(std::chrono::duration<Rep, Period> time, Handler handler) {
  return {std::chrono::ceil<std::chrono::nanoseconds>(time), std::move(handler)};
}

// One of the messages that a receive accepts, and what to do with it.
template <typename T, typename Predicate, typename Handler>
struct clause {
  actors_detail::pattern_base pattern;
  Predicate predicate;
  Handler handler;
};
template <typename Predicate>
struct when_t {
  Predicate predicate;
};
template <typename Predicate>
when_t<Predicate> when(Predicate predicate) {
  return {std::move(predicate)};
}

// on<T>([tag or any_tag,] [when(predicate),] handler). The handler gets the value and, if it takes
// two arguments, the process that sent it.
template <typename T, typename Handler>
clause<T, actors_detail::everything, Handler> on(Handler handler) {
  return {{}, {}, std::move(handler)};
}
template <typename T, typename Predicate, typename Handler>
clause<T, Predicate, Handler> on(when_t<Predicate> when, Handler handler) {
  return {{}, std::move(when.predicate), std::move(handler)};
}
template <typename T, typename Handler>
clause<T, actors_detail::everything, Handler> on(tag t, Handler handler) {
  return {{t.value, false}, {}, std::move(handler)};
}
template <typename T, typename Handler>
clause<T, actors_detail::everything, Handler> on(any_tag_t, Handler handler) {
  return {{0, true}, {}, std::move(handler)};
}
template <typename T, typename Predicate, typename Handler>
clause<T, Predicate, Handler> on(tag t, when_t<Predicate> when, Handler handler) {
  return {{t.value, false}, std::move(when.predicate), std::move(handler)};
}
template <typename T, typename Predicate, typename Handler>
clause<T, Predicate, Handler> on(any_tag_t, when_t<Predicate> when, Handler handler) {
  return {{0, true}, std::move(when.predicate), std::move(handler)};
}

namespace actors_detail {

template <typename T, typename Predicate>
heddle_pattern pattern_of(const pattern_base& p, asked<T, Predicate>& context) {
  heddle_pattern out{};
  out.kind = kind_of<T>();
  out.tag = p.tag;
  out.any_tag = p.any_tag ? 1 : 0;
  if constexpr (!std::is_same_v<Predicate, everything>) {
    out.accepts = asked<T, Predicate>::ask;
    out.context = &context;
  }
  return out;
}

template <typename T, typename Handler>
void handle(Handler& handler, heddle_message* m) {
  if constexpr (std::is_invocable_v<Handler&, T, process>)
    handler(value_of<T>(m), process(m->sender));
  else
    handler(value_of<T>(m));
}

// The message that one of them fits, and which; null if the time is over.
template <typename... T, typename... Predicate, std::size_t... k>
HEDDLE_ACTORS_INLINE inline owned take(std::int64_t nanoseconds, std::uint32_t& which,
                                       std::index_sequence<k...>,
                                       std::pair<pattern_base, asked<T, Predicate>>... all) {
  const heddle_pattern patterns[] = {pattern_of<T, Predicate>(all.first, all.second)...};
  return owned(heddle_receive_message(patterns, sizeof...(T), nanoseconds, &which));
}

inline std::int64_t nanoseconds(std::chrono::nanoseconds time) {
  return time.count() < 0 ? 0 : time.count();
}

template <typename... T, typename... Predicate, typename... Handler>
HEDDLE_ACTORS_INLINE inline bool receive_within(std::int64_t limit,
                                                clause<T, Predicate, Handler>... clauses) {
  std::exception_ptr thrown;
  std::uint32_t which = 0;
  const owned m = take<T...>(limit, which, std::index_sequence_for<T...>(),
                             std::pair<pattern_base, asked<T, Predicate>>(
                                 clauses.pattern, {&clauses.predicate, &thrown})...);
  if (thrown) std::rethrow_exception(thrown);
  if (m == nullptr) return false;
  std::uint32_t at = 0;
  ((at++ == which ? handle<T>(clauses.handler, m.get()) : void()), ...);
  return true;
}

template <typename T, typename Predicate>
HEDDLE_ACTORS_INLINE inline std::optional<T> receive_one(std::int64_t limit, pattern_base pattern,
                                                         const Predicate& predicate) {
  std::exception_ptr thrown;
  std::uint32_t which = 0;
  const owned m =
      take<T>(limit, which, std::index_sequence<0>(),
              std::pair<pattern_base, asked<T, Predicate>>(pattern, {&predicate, &thrown}));
  if (thrown) std::rethrow_exception(thrown);
  if (m == nullptr) return std::nullopt;
  return value_of<T>(m.get());
}

// What a receive of one type may be given, in any order: a tag, a predicate, a limit.
template <typename T>
struct wanted {
  pattern_base pattern;
  std::int64_t limit = -1;

  void add(tag t) { pattern = {t.value, false}; }
  void add(any_tag_t) { pattern = {0, true}; }
  void add(time_limit<void> l) { limit = nanoseconds(l.time); }
};
template <typename Option>
inline constexpr bool is_plain = std::is_same_v<Option, tag> || std::is_same_v<Option, any_tag_t> ||
                                 std::is_same_v<Option, time_limit<void>>;
template <typename T, typename Option>
concept predicate_on = std::is_invocable_r_v<bool, const Option&, const T&>;

inline constexpr everything accept_everything;
template <typename T>
const everything& predicate_in() {
  return accept_everything;
}
template <typename T, typename First, typename... Rest>
const auto& predicate_in(const First& first, const Rest&... rest) {
  if constexpr (is_plain<First>)
    return predicate_in<T>(rest...);
  else
    return first;
}

template <typename T, typename... Option>
HEDDLE_ACTORS_INLINE inline std::optional<T> receive(wanted<T> w, const Option&... options) {
  static_assert(((is_plain<Option> || predicate_on<T, Option>) && ...),
                "a receive takes a tag, a predicate and a limit");
  static_assert((0 + ... + (is_plain<Option> ? 0 : 1)) <= 1, "a receive has one predicate");
  [[maybe_unused]] const auto add = [&](const auto& o) {
    if constexpr (is_plain<std::decay_t<decltype(o)>>) w.add(o);
  };
  (add(options), ...);
  return receive_one<T>(w.limit, w.pattern, predicate_in<T>(options...));
}

}  // namespace actors_detail

// --- what programs call

template <typename T>
HEDDLE_ACTORS_INLINE inline void send(process to, tag t, T&& value) {
  using Value = std::decay_t<T>;
  actors_detail::owned m(
      heddle_new_message(nullptr, t.value, sizeof(Value)));  // of no kind: nothing to destroy yet
  ::new (heddle_data(m.get())) Value(std::forward<T>(value));
  m->kind = actors_detail::kind_of<Value>();
  heddle_send_message(to.handle(), m.release());
}
template <typename T>
HEDDLE_ACTORS_INLINE inline void send(process to, T&& value) {
  send(to, tag(0), std::forward<T>(value));
}

// The oldest T that fits the options: a tag or any_tag, a predicate. With a limit, which may be 0,
// the result is optional.
template <typename T, typename... Option>
  requires(!std::is_same_v<Option, time_limit<void>> && ...)
HEDDLE_ACTORS_INLINE inline T receive(const Option&... options) {
  return *actors_detail::receive<T>(actors_detail::wanted<T>(), options...);
}
template <typename T, typename... Option>
  requires(std::is_same_v<Option, time_limit<void>> || ...)
HEDDLE_ACTORS_INLINE inline std::optional<T> receive(const Option&... options) {
  return actors_detail::receive<T>(actors_detail::wanted<T>(), options...);
}
template <typename T, typename... Option>
HEDDLE_ACTORS_INLINE inline std::optional<T> try_receive(const Option&... options) {
  return actors_detail::receive<T>(actors_detail::wanted<T>{{}, 0}, options...);
}

// The oldest message that one of the clauses fits is handled by it.
template <typename T, typename Predicate, typename Handler, typename... More>
HEDDLE_ACTORS_INLINE inline void receive(clause<T, Predicate, Handler> first, More... more) {
  const auto call = [&]<std::size_t... k>(std::index_sequence<k...>) HEDDLE_ACTORS_INLINE {
    auto all = std::make_tuple(std::move(first), std::move(more)...);
    auto& last = std::get<sizeof...(More)>(all);
    if constexpr (requires { last.time; }) {
      const bool done = actors_detail::receive_within(actors_detail::nanoseconds(last.time),
                                                      std::move(std::get<k>(all))...);
      if constexpr (requires { last.handler; })
        if (!done) last.handler();
    } else {
      actors_detail::receive_within(-1, std::move(std::get<k>(all))..., std::move(last));
    }
  };
  call(std::make_index_sequence<sizeof...(More)>());
}

// A process that calls the function with these arguments. If an exception leaves it, processes that
// are linked to it or monitor it are told; if there is none, std::terminate is called.
template <typename Function, typename... Argument>
HEDDLE_ACTORS_INLINE inline process spawn(Function&& function, Argument&&... arguments) {
  using Call = std::tuple<std::decay_t<Function>, std::decay_t<Argument>...>;
  auto call = std::make_unique<Call>(std::forward<Function>(function),
                                     std::forward<Argument>(arguments)...);
  const auto run = [](void* from) {
    const std::unique_ptr<Call> owned(static_cast<Call*>(from));
    const auto fail = [](const char* what) {
      if (heddle_end_process_(heddle_exception, what) == 0) std::terminate();
    };
    try {
      std::apply([](auto& f, auto&... a) { std::invoke(std::move(f), std::move(a)...); }, *owned);
    } catch (abi::__forced_unwind&) {
      throw;
    } catch (const std::exception& e) {
      fail(e.what());
    } catch (...) {
      fail("an exception");
    }
  };
  return process(heddle_spawn(run, call.release()));
}

// See actors.h.
inline std::uint64_t monitor(process p) { return heddle_monitor(p.handle()); }
inline void link(process p) { heddle_link(p.handle()); }
inline void trap_exits(bool traps = true) { heddle_trap_exits(traps ? 1 : 0); }
[[noreturn]] inline void exit(int reason) { heddle_exit(reason); }
inline bool register_name(const char* name) { return heddle_register(name) != 0; }
inline process whereis(const char* name) { return process(heddle_whereis(name)); }

}  // namespace heddle

#endif  // HEDDLE_ACTORS_HPP
