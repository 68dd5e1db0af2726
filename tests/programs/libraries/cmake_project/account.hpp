#pragma once

#include <mutex>

class Account {
 public:
  void deposit(long amount);
  bool withdraw(long amount);
  long balance() const;

 private:
  mutable std::mutex mutex_;
  long balance_ = 0;
};
