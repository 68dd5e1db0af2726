#include "runtime/condition.hpp"

#include <cstring>

#include "runtime/scheduler.hpp"

namespace heddle::runtime {
namespace {

constexpr unsigned max_conditions = 4096;  // used in one run

struct Named {
  const void* address;
  Condition condition;
};
Named conditions[max_conditions];
unsigned condition_count = 0;

}  // namespace

Condition& condition_at(const void* address) {
  for (unsigned k = condition_count; k-- > 0;)
    if (conditions[k].address == address) return conditions[k].condition;
  if (condition_count == max_conditions)
    unsupported("a run that uses more than 4096 condition variables and futexes");
  Named& fresh = conditions[condition_count++];
  std::memset(static_cast<void*>(&fresh), 0, sizeof fresh);
  fresh.address = address;
  return fresh.condition;
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

unsigned Condition::signal() {
  unsigned unreleased = 0;
  for (unsigned k = 0; k < waiting_; ++k) unreleased += waiters_[k].released ? 0 : 1;
  if (token_count_ >= unreleased) return 0;
  tokens_[token_count_++] = waiting_;
  return 1;
}

unsigned Condition::broadcast() {
  unsigned released = 0;
  for (unsigned k = 0; k < waiting_; ++k) {
    released += waiters_[k].released ? 0 : 1;
    waiters_[k].released = true;
  }
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
