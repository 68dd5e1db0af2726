// Each thread claims one of two slots, by a compare-exchange in a loop inside its waiting loop: what
// fails there changes nothing. A slot is released, so that every thread gets one in the end.
// expect: verified
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> slots[2];
std::atomic<int> users;

void use() {
  int slot = -1;
  do {
    for (int k = 0; k < 2; ++k) {
      int free = 0;
      if (slots[k].compare_exchange_strong(free, 1)) {
        slot = k;
        break;
      }
    }
  } while (slot < 0);
  assert(users.fetch_add(1) < 2);
  users.fetch_sub(1);
  slots[slot] = 0;
}

int main() {
  slots[1] = 1;  // there is one only
  std::thread a(use);
  use();
  a.join();
}
