// A project of several files, built by CMake with CXX="heddle c++".
// expect: finding assertion line here
#include <cassert>
#include <thread>

#include "account.hpp"

int main() {
  Account account;
  account.deposit(10);
  std::thread a([&] { account.withdraw(7); }), b([&] { account.withdraw(7); });
  a.join();
  b.join();
  assert(account.balance() >= 0);  // here
}
