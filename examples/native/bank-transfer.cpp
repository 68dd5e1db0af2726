// Transfers between accounts. Each locks the account it takes from, then the one it gives to: two
// transfers in opposite directions can wait for each other for ever.
// expect: finding deadlock line 17
#include <cassert>
#include <mutex>
#include <thread>

struct Account {
  std::mutex mutex;
  int balance = 100;
};

Account alice, bob;

void transfer(Account& from, Account& to, int amount) {
  std::lock_guard take(from.mutex);
  std::lock_guard give(to.mutex);
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
