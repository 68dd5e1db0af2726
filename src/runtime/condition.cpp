#include "runtime/condition.hpp"

#include <bit>
#include <cstring>

#include "runtime/scheduler.hpp"

namespace heddle::runtime {
namespace {

constexpr unsigned max_conditions = 4096;  // used in one run

struct Named {
  const void* address;
  std::uint32_t mask;  // of those that it is for; 0 if that is not known
  std::uint8_t group;
  Condition condition;
};
Named conditions[max_conditions];
unsigned condition_count = 0;

Named& named(const void* address, std::uint8_t group) {
  for (unsigned k = condition_count; k-- > 0;)
    if (conditions[k].address == address && conditions[k].group == group) return conditions[k];
  if (condition_count == max_conditions)
    unsupported("a run that uses more than 4096 condition variables and futexes");
  Named& fresh = conditions[condition_count++];
  std::memset(static_cast<void*>(&fresh), 0, sizeof fresh);
  fresh.address = address;
  fresh.group = group;
  return fresh;
}

// The same for the same mask, whatever the order in which they come: those of one bit have its
// number.
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
  for (unsigned k = 0; k < condition_count; ++k) {
    const Named& other = conditions[k];
    if (other.address == futex && other.mask != mask &&
        (other.group == group || (other.mask & mask) != 0))
      unsupported("a futex with masks that have some bits in common, and not all");
  }
  named(futex, group).mask = mask;
  return group;
}

void clear_conditions() { condition_count = 0; }
void save_conditions(Savepoint& into) {
  into.keep(conditions, condition_count * sizeof conditions[0]);
  into.keep(condition_count);
}

unsigned Condition::find(unsigned thread) const {
  unsigned k = 0;
  while (k < waiting_ && waiters_[k].thread != thread) ++k;
  return k;
}

unsigned Condition::token_for(unsigned waiter) const {
  unsigned k = 0;
  while (k < token_count_ && waiter >= tokens_[k]) ++k;
  return k;
}

unsigned Condition::unreleased() const {
  unsigned count = 0;
  for (unsigned k = 0; k < waiting_; ++k) count += waiters_[k].released ? 0 : 1;
  return count;
}

unsigned Condition::signal() {
  if (token_count_ >= unreleased()) return 0;
  tokens_[token_count_++] = waiting_;
  return 1;
}

unsigned Condition::broadcast() {
  const unsigned released = unreleased() - token_count_;
  for (unsigned k = 0; k < waiting_; ++k) waiters_[k].released = true;
  token_count_ = 0;
  return released;
}

bool Condition::can_wake(unsigned thread) const {
  const unsigned at = find(thread);
  return at < waiting_ && (waiters_[at].released || token_for(at) < token_count_);
}

bool Condition::is_released(unsigned thread) const {
  const unsigned at = find(thread);
  return at < waiting_ && waiters_[at].released;
}

// Takes the token that fewest others could take: then whoever else can be woken still can.
void Condition::wake(unsigned thread) {
  const unsigned at = find(thread);
  if (!waiters_[at].released) {
    const unsigned token = token_for(at);
    std::memmove(tokens_ + token, tokens_ + token + 1, token_count_ - token - 1U);
    --token_count_;
  }
  remove(at);
}

void Condition::give_up(unsigned thread) { remove(find(thread)); }

void Condition::remove(unsigned at) {
  std::memmove(waiters_ + at, waiters_ + at + 1, (waiting_ - at - 1U) * sizeof(Waiter));
  --waiting_;
  for (unsigned k = 0; k < token_count_; ++k)
    if (at < tokens_[k]) --tokens_[k];
}

}  // namespace heddle::runtime
