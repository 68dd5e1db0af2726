#include "runtime/kernel/condition.hpp"

#include <bit>
#include <cstring>

#include "runtime/kernel/stop.hpp"
#include "runtime/sys/check.hpp"

namespace heddle::runtime {
namespace {

// Used in one run. They are searched one by one, so that many more would be slow; a run with more
// is cut off (Bound::conditions).
constexpr unsigned max_conditions = 4096;

struct Named {
  const void* address;
  std::uint32_t mask;  // of the threads that it is for; 0 if that is not known
  std::uint8_t group;
  Condition condition;
};

struct Conditions {
  unsigned count;
  Named list[max_conditions];
};
constinit Conditions conditions{};  // of a run

Named& named(const void* address, std::uint8_t group) {
  for (unsigned k = conditions.count; k-- > 0;)
    if (conditions.list[k].address == address && conditions.list[k].group == group)
      return conditions.list[k];
  if (conditions.count == max_conditions) reach_bound(abi::Bound::conditions);
  Named& fresh = conditions.list[conditions.count++];
  fresh.mask = 0;
  fresh.condition.clear();
  fresh.address = address;
  fresh.group = group;
  return fresh;
}

// The same for the same mask, in whatever order masks come. 0 is for all bits, 1 to 32 for a single
// one, and the rest of a byte for hashes of the others: masks that collide are refused (group_of).
std::uint8_t number_of(std::uint32_t mask) {
  if (mask == ~0U) return 0;
  if (std::has_single_bit(mask)) return static_cast<std::uint8_t>(1 + std::countr_zero(mask));
  return static_cast<std::uint8_t>(33 + mask * 0x9e3779b1U % 220);
}

}  // namespace

Condition& condition_at(const void* address, std::uint8_t group) {
  return named(address, group).condition;
}

std::uint8_t group_of(const void* futex, std::uint32_t mask) {
  const std::uint8_t group = number_of(mask);
  for (unsigned k = 0; k < conditions.count; ++k) {
    const Named& other = conditions.list[k];
    if (other.address == futex && other.mask != mask &&
        (other.group == group || (other.mask & mask) != 0))
      unsupported("a futex with masks that have some bits in common, and not all");
  }
  named(futex, group).mask = mask;
  return group;
}

void clear_conditions() { conditions.count = 0; }
void save_conditions(Savepoint& into) {
  into.keep(conditions.list, conditions.count * sizeof conditions.list[0]);
  into.keep(conditions.count);
}

// In whatever order they came to be used. One that was only looked at is as if it were not there.
void digest_conditions(StateHash& into) {
  for (unsigned k = 0; k < conditions.count; ++k) {
    const Named& n = conditions.list[k];
    if (n.mask != 0) into.add_words(StateHash::Of::condition, n.address, n.group, n.mask);
    n.condition.digest(n.address, n.group, into);
  }
}

void Condition::digest(const void* address, std::uint64_t group, StateHash& into) const {
  using Of = StateHash::Of;
  if (numbered_ != 0) into.add_words(Of::condition, address, group, ~0ULL, numbered_);
  for (unsigned k = 0; k < waiting_; ++k)
    into.add_words(Of::waiter, address, group, waiters_[k].thread, waiters_[k].since);
  for (unsigned k = 0; k < token_count_; ++k)
    into.add_words(Of::token, address, group, tokens_[k].number, tokens_[k].left,
                   tokens_[k].for_all);
}

unsigned Condition::find(unsigned thread) const {
  unsigned k = 0;
  while (k < waiting_ && waiters_[k].thread != thread) ++k;
  return k;
}

void Condition::wait(unsigned thread) {
  HEDDLE_RUNTIME_CHECK(thread < abi::max_threads && find(thread) == waiting_);
  waiters_[waiting_++] = {numbered_, static_cast<std::uint8_t>(thread)};
}

unsigned Condition::token_for(unsigned waiter) const {
  unsigned k = 0;
  while (k < token_count_ && tokens_[k].number <= waiters_[waiter].since) ++k;
  return k;
}

unsigned Condition::missing() const {
  unsigned count = waiting_;
  for (unsigned k = 0; k < token_count_; ++k) count -= tokens_[k].left;
  return count;
}

unsigned Condition::signal(std::uint64_t most) {
  const unsigned missing = this->missing();
  if (missing == 0) return 0;
  HEDDLE_RUNTIME_CHECK(missing <= waiting_ && token_count_ < abi::max_threads);
  const unsigned left = missing <= most ? missing : static_cast<unsigned>(most);
  tokens_[token_count_++] = {++numbered_, static_cast<std::uint8_t>(left), left == missing};
  return left;
}

bool Condition::can_wake(unsigned thread) const {
  const unsigned at = find(thread);
  return at < waiting_ && token_for(at) < token_count_;
}

Condition::Wake Condition::next_wake(unsigned thread) const {
  const unsigned at = find(thread);
  HEDDLE_RUNTIME_CHECK(at < waiting_);
  const unsigned token = token_for(at);
  if (token == token_count_) return {~std::uint32_t{0}, waiters_[at].since, false};
  return {tokens_[token].number, waiters_[at].since, tokens_[token].for_all};
}

// Takes the oldest token that the thread can take, which the fewest other threads could take: so
// every other thread that can be woken still can.
void Condition::wake(unsigned thread) {
  HEDDLE_RUNTIME_CHECK(can_wake(thread));
  const unsigned at = find(thread), token = token_for(at);
  if (--tokens_[token].left == 0) {
    --token_count_;
    std::memmove(tokens_ + token, tokens_ + token + 1, (token_count_ - token) * sizeof(Token));
  }
  remove(at);
}

void Condition::give_up(unsigned thread) { remove(find(thread)); }

void Condition::remove(unsigned at) {
  HEDDLE_RUNTIME_CHECK(at < waiting_);
  --waiting_;
  std::memmove(waiters_ + at, waiters_ + at + 1, (waiting_ - at) * sizeof(Waiter));
}

}  // namespace heddle::runtime
