// Which threads wait on a condition variable, and what signals left for them.
//
// A signal that finds a thread for which there is nothing yet leaves a token for those that wait at
// that moment; a broadcast leaves as many as are missing. Such calls are numbered. A thread that
// wakes takes the oldest token that is for it: the one that the fewest other threads could take.
// Which of several threads takes a token is a matter of schedule. (The same as in
// runtime/condition.hpp.)
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "model/event.hpp"

namespace heddle {

class ConditionState {
 public:
  struct Waiter {
    ThreadId thread;
    std::uint32_t since;  // how many calls had left tokens when it came

    friend bool operator==(const Waiter&, const Waiter&) = default;
  };
  struct Token {
    std::uint32_t number;  // of the call that left it
    std::uint32_t left;    // as many of them
    bool for_all;          // with it, there was one for each of those that waited
  };

  // What a signal is, for this number of threads, or a broadcast: `a` is its number, or 0 if it
  // leaves nothing.
  Access signal(Location location, std::uint64_t most = 1) const {
    return {location, Mode::signal, {}, next_number(), most};
  }
  Access broadcast(Location location) const {
    return {location, Mode::broadcast, {}, next_number()};
  }
  // What it is to wake, or to wait for that: `a` is the number of the token, `b` since when it
  // waits.
  Access wake(Location location, ThreadId thread) const {
    const auto self = find(thread);
    const auto token = token_for(*self);
    const bool none = token == tokens_.end();
    return {location,
            !none && token->for_all ? Mode::wake_all : Mode::wake,
            {},
            none ? no_token : token->number,
            self->since};
  }

  bool is_waiting(ThreadId thread) const { return find(thread) != waiters_.end(); }
  bool can_wake(ThreadId thread) const {
    const auto self = find(thread);
    return self != waiters_.end() && token_for(*self) != tokens_.end();
  }

  // The thread does this to it, or to something else.
  void apply(ThreadId thread, const Access& access) {
    if (access.mode == Mode::wait)
      wait(thread);
    else if (access.mode == Mode::signal)
      leave(access.b);
    else if (access.mode == Mode::broadcast)
      leave(~std::uint64_t{0});
    else if (access.mode == Mode::wake || access.mode == Mode::wake_all)
      take(thread);
  }
  // The thread waits no longer, without having been woken.
  void give_up(ThreadId thread) {
    if (is_waiting(thread)) waiters_.erase(find(thread));
  }

  std::uint32_t numbered() const { return numbered_; }
  const std::vector<Waiter>& waiters() const { return waiters_; }
  const std::vector<Token>& tokens() const { return tokens_; }

 private:
  void wait(ThreadId thread) {
    waiters_.push_back({thread, numbered_});
    std::ranges::sort(waiters_, {}, &Waiter::thread);
  }
  void leave(std::uint64_t most) {
    const std::uint32_t missing = this->missing();
    if (missing == 0) return;
    const auto left = static_cast<std::uint32_t>(std::min<std::uint64_t>(missing, most));
    tokens_.push_back({++numbered_, left, left == missing});
  }
  void take(ThreadId thread) {
    if (!can_wake(thread)) return give_up(thread);
    const auto token = tokens_.begin() + (token_for(*find(thread)) - tokens_.begin());
    if (--token->left == 0) tokens_.erase(token);
    give_up(thread);
  }

  static constexpr std::uint64_t no_token = ~std::uint32_t{0};

  std::vector<Waiter>::const_iterator find(ThreadId thread) const {
    return std::ranges::find(waiters_, thread, &Waiter::thread);
  }
  std::vector<Token>::const_iterator token_for(const Waiter& w) const {
    return std::ranges::find_if(tokens_, [&](const Token& t) { return t.number > w.since; });
  }
  // For how many there is nothing. A thread that wakes changes nothing about that.
  std::uint32_t missing() const {
    auto missing = static_cast<std::uint32_t>(waiters_.size());
    for (const Token& t : tokens_) missing -= t.left;
    return missing;
  }
  std::uint64_t next_number() const { return missing() == 0 ? 0 : numbered_ + 1; }

  std::vector<Waiter> waiters_;  // by thread: their order of arrival does not matter
  std::vector<Token> tokens_;    // oldest first
  std::uint32_t numbered_ = 0;
};

}  // namespace heddle
