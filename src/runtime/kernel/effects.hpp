// What a thread has done that other threads, or the thread itself, may see later: as a number, so
// that a loop can tell whether a round of it did anything.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "runtime/abi/abi.h"
#include "runtime/kernel/savepoint.hpp"
#include "runtime/kernel/state_hash.hpp"

namespace heddle::runtime {

// The number stands for what the thread has done apart from locks, and for the locks that it holds.
// So it is unchanged after the thread has acquired a lock and released it. If the thread releases a
// lock and acquires it again, the number is unchanged unless another thread acquired the lock
// meanwhile (a thread waiting for that lock could only have continued by acquiring it). Counted
// separately is how often an attempt of another thread to acquire a lock failed while this thread
// held it: that thread has seen it.
//
// What the thread writes to its own stack, and then restores, leaves the number unchanged, too,
// unless another thread read it meanwhile.
//
// Numbers are compared with those of rounds of loops (start_round), and never after an effect. So
// with the first round after it, they begin anew: what they are does not depend on what the thread
// did long ago, and neither does anything else that is kept here for comparing.
class Effects {
 public:
  void clear() {
    number_ = last_ = seen_ = counted_ = epoch_ = time_ = stack_ = 0;
    count();
  }
  std::uint64_t number() const { return number_ + time_; }
  // Numbers of one epoch can be compared.
  std::uint64_t epoch() const { return epoch_; }
  // How many effects there were, not counting locks.
  std::uint64_t counted() const { return counted_; }
  std::uint64_t times_seen() const { return seen_; }
  // What the thread has written to its own stack, as a number.
  std::uint64_t stack() const { return stack_; }

  // That time passes is seen by the thread alone. The part of the number that is due to it is kept
  // separately, see polling.hpp.
  std::uint64_t time() const { return time_; }
  void pass_time() { time_ += weight(~++last_); }
  // A time limit was reached, so no thread could continue: a thread that acquired a lock which this
  // thread had released has been waiting, too. That acquisition does not count.
  void forgive() { given_.forgive(); }

  void count() {
    ++counted_;
    ++epoch_;
    taken_.clear();
    given_.clear();
    changed_count_ = start_count_ = 0;
  }

  // A round of this loop begins, in the function whose frame ends there. (No function that a round
  // calls can come to the same loop in the same frame: those of which the pass cannot see all
  // calls, or that call each other, are in no such loop.) True: the number is not what it was when
  // the round before began.
  bool start_round(const abi::Site* loop, const void* frame) {
    Start* known = find_start(loop, frame);
    if (known == nullptr && start_count_ == 0) begin_anew();
    if (known == nullptr && start_count_ == max_starts) remove_start(0);
    const bool differs = known == nullptr || known->number != number();
    if (known == nullptr) known = &starts_[start_count_++];
    *known = {loop, frame, number()};
    return differs;
  }
  // The number with which its last round began; none if it cannot be reached any more.
  static constexpr std::uint64_t never = ~0ULL;
  std::uint64_t start_of_round(const abi::Site* loop, const void* frame) const {
    const Start* known = const_cast<Effects*>(this)->find_start(loop, frame);
    return known == nullptr ? never : known->number;
  }

  // The content of memory on the thread's own stack, as a number: the sum of the numbers of its
  // parts, however it is divided.
  static std::uint64_t content(const void* address, std::uint64_t size) {
    std::uint64_t at = reinterpret_cast<std::uint64_t>(address), sum = 0;
    for (const std::uint64_t end = at + size; at < end;) {
      const std::uint64_t in_word = at % 8, part = std::min(8 - in_word, end - at);
      std::uint64_t value = 0;
      std::memcpy(&value, reinterpret_cast<const void*>(at), part);
      sum += (value << 8 * in_word) * (weight(at - in_word) | 1);
      at += part;
    }
    return sum;
  }
  // That memory was written: if the old content is restored, the number is as it was. What other
  // threads may see, and is more than can be kept, counts as an effect.
  void change(const void* address, std::uint64_t size, std::uint64_t from, std::uint64_t to,
              bool is_seen) {
    add_to_stack(to - from);
    const auto* begin = static_cast<const char*>(address);
    std::uint32_t k = 0;
    while (k < changed_count_ && (changed_[k].begin != begin || changed_[k].size != size)) ++k;
    if (k == max_changed) {
      if (is_seen) count();
      return;
    }
    if (k == changed_count_) changed_[changed_count_++] = {begin, size, 0, false};
    changed_[k].by += to - from;
    changed_[k].is_seen |= is_seen;
  }
  // Another thread reads the stack: it sees what has been changed there since the last effect.
  void be_looked_at(const void* address, std::uint64_t size) {
    const auto* begin = static_cast<const char*>(address);
    for (std::uint32_t k = 0; k < changed_count_; ++k)
      if (changed_[k].is_seen && begin < changed_[k].begin + changed_[k].size &&
          changed_[k].begin < begin + size)
        return count();
  }
  // Functions have returned to the one whose frame ends here: what they changed below it has no
  // meaning any more.
  void return_to(const void* frame) {
    for (std::uint32_t k = changed_count_; k-- > 0;)
      if (changed_[k].begin < static_cast<const char*>(frame)) {
        add_to_stack(0 - changed_[k].by);
        changed_[k] = changed_[--changed_count_];
      }
    for (std::uint32_t k = start_count_; k-- > 0;)
      if (starts_[k].frame < frame) remove_start(k);
  }

  // What other threads have done to a lock so far.
  struct Others {
    std::uint64_t takings;   // acquisitions that are impossible while the thread holds it
    std::uint64_t failures;  // of attempts to acquire it
  };
  void take(const void* lock, Others others) {
    const Hold* before = given_.latest(lock);
    const bool is_same = before != nullptr && (before->others.takings == others.takings ||
                                               before->others.takings == forgiven);
    const std::uint64_t hold = is_same ? before->hold : ++last_;
    if (before != nullptr) given_.remove(before);
    taken_.add({lock, hold, others});
    number_ += weight(hold);
  }
  void give(const void* lock, Others others) {
    const Hold* before = taken_.latest(lock);
    if (before != nullptr && before->others.failures != others.failures) ++seen_;
    const std::uint64_t hold = before != nullptr ? before->hold : ++last_;
    if (before != nullptr) taken_.remove(before);
    given_.add({lock, hold, others});
    number_ -= weight(hold);
  }

  // As a part of the state of its thread, which has found out that it was seen this often: how far
  // the number is from those that it may yet be compared with. The locks are not in it: what counts
  // of those is whether others have acquired them since.
  void digest(unsigned thread, std::uint64_t times_seen, StateHash& into) const {
    using Of = StateHash::Of;
    if (seen_ != times_seen) into.add_words(Of::effects, thread);
    for (std::uint32_t k = 0; k < start_count_; ++k)
      into.add_words(Of::start, thread, k, starts_[k].loop, starts_[k].frame,
                     number() - starts_[k].number);
    for (std::uint32_t k = 0; start_count_ != 0 && k < changed_count_; ++k)
      into.add_words(Of::change, thread, k, changed_[k].begin, changed_[k].size, changed_[k].by,
                     changed_[k].is_seen);
  }
  // Calls visit(lock, hold, others, held) for each period of holding a lock that matters: it lasts,
  // or it has ended and could continue. Which one it is (`hold`) only matters where numbers are
  // compared.
  template <typename Visit>
  void for_holds(Visit visit) const {
    const bool compares = start_count_ != 0;
    taken_.for_all([&](const Hold& h) { visit(h.lock, compares ? h.hold : 0, h.others, true); });
    if (compares) given_.for_all([&](const Hold& h) { visit(h.lock, h.hold, h.others, false); });
  }
  static constexpr std::uint64_t forgiven = ~0ULL;  // in place of a count

  // Everything except the lists comes first. A list is kept if it has elements: the lists have to
  // be cleared before they are put back.
  std::size_t bytes_before_lists() const { return offsetof(Effects, taken_); }
  void save_lists(Savepoint& into) {
    if (changed_count_ != 0) into.keep(changed_, changed_count_ * sizeof changed_[0]);
    if (!taken_.empty()) taken_.save(into);
    if (!given_.empty()) given_.save(into);
    if (start_count_ != 0) into.keep(starts_, start_count_ * sizeof starts_[0]);
  }

 private:
  // One period of holding a lock, or several between which no other thread acquired it.
  struct Hold {
    const void* lock;
    std::uint64_t hold;
    Others others;  // as of its beginning; for a hold that has ended, as of its end
  };

  // The holds since the last effect. If there are too many, the oldest is forgotten: then to end
  // it, or to begin it again, counts as something new.
  class Holds {
   public:
    void clear() { count_ = 0; }
    void add(const Hold& hold) {
      if (count_ == max) remove(list_);
      list_[count_++] = hold;
    }
    void remove(const Hold* which) {
      std::copy(which + 1, static_cast<const Hold*>(list_) + count_, list_ + (which - list_));
      --count_;
    }
    const Hold* latest(const void* lock) const {
      for (unsigned k = count_; k-- > 0;)
        if (list_[k].lock == lock) return &list_[k];
      return nullptr;
    }
    void renumber(std::uint64_t& last) {
      for (unsigned k = 0; k < count_; ++k) list_[k].hold = ++last;
    }
    void forgive() {
      for (unsigned k = 0; k < count_; ++k) list_[k].others.takings = forgiven;
    }
    void save(Savepoint& into) {
      into.keep(count_);
      into.keep(list_, count_ * sizeof list_[0]);
    }
    bool empty() const { return count_ == 0; }
    template <typename Visit>
    void for_all(Visit visit) const {
      for (unsigned k = 0; k < count_; ++k) visit(list_[k]);
    }

   private:
    // More than a round of a loop holds at once. With more, rounds are repeated that need not be,
    // and nothing is lost.
    static constexpr unsigned max = 16;
    unsigned count_;
    Hold list_[max];
  };

  // Scattered, so that different sums of weights differ, and differ from all small numbers.
  static std::uint64_t weight(std::uint64_t hold) {
    std::uint64_t z = hold * 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }

  void add_to_stack(std::uint64_t difference) {
    number_ += difference;
    stack_ += difference;
  }

  // Of the last round of a loop.
  struct Start {
    const abi::Site* loop;
    const void* frame;
    std::uint64_t number;
  };
  // Loops of functions that have not returned. More than a round of a loop has in it; with more,
  // those that began first count as if they had done something, and nothing is lost.
  static constexpr std::uint32_t max_starts = 64;

  Start* find_start(const abi::Site* loop, const void* frame) {
    for (std::uint32_t k = start_count_; k-- > 0;)
      if (starts_[k].loop == loop && starts_[k].frame == frame) return &starts_[k];
    return nullptr;
  }
  void remove_start(std::uint32_t which) {
    std::copy(starts_ + which + 1, starts_ + start_count_, starts_ + which);
    --start_count_;
  }
  // There is no number with which one could be compared. What was before does not matter then,
  // except for the locks that are held.
  void begin_anew() {
    ++epoch_;
    number_ = last_ = 0;
    given_.clear();
    taken_.renumber(last_);
    changed_count_ = 0;
  }

  struct Change {
    const char* begin;
    std::uint64_t size, by;
    bool is_seen;
  };
  // Variables on the stack that a round changes and restores: the same trade-off as for holds.
  static constexpr std::uint32_t max_changed = 16;

  std::uint64_t number_, last_, counted_, epoch_, seen_, time_, stack_;
  std::uint32_t changed_count_, start_count_;
  Holds taken_, given_;
  Change changed_[max_changed];  // on the stack
  Start starts_[max_starts];
};

}  // namespace heddle::runtime
