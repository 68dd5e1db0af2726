// bank-transfer.cpp, with the locks taken in the same order by every transfer: by their addresses.
// expect: verified
#include <cassert>
#include <functional>
#include <mutex>
#include <thread>

struct Account {
  std::mutex mutex;
  int balance = 100;
};

Account alice, bob;

void transfer(Account& from, Account& to, int amount) {
  const bool ordered = std::less<>()(&from, &to);
  std::lock_guard first(ordered ? from.mutex : to.mutex);
  std::lock_guard second(ordered ? to.mutex : from.mutex);
  from.balance -= amount;
  to.balance += amount;
}

int main() {
  std::thread a([] { transfer(alice, bob, 30); });
  std::thread b([] { transfer(bob, alice, 50); });
  a.join();
  b.join();
  assert(alice.balance == 120 && bob.balance == 80);
}
