// Transfers between accounts, whose locks are taken in the order of the accounts: none is lost.
// expect: verified optimal=6 observers=6
#include <cassert>
#include <mutex>
#include <thread>

struct Account {
  std::mutex m;
  long balance = 10;
};
Account accounts[3];

void transfer(int from, int to, long amount) {
  std::lock_guard first(accounts[from < to ? from : to].m);
  std::lock_guard second(accounts[from < to ? to : from].m);
  accounts[from].balance -= amount;
  accounts[to].balance += amount;
}

int main() {
  std::thread a(transfer, 0, 1, 3), b(transfer, 2, 0, 4);
  transfer(1, 2, 5);
  a.join();
  b.join();
  assert(accounts[0].balance == 11 && accounts[1].balance == 8 && accounts[2].balance == 11);
}
