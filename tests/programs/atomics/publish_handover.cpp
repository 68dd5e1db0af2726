// Memory goes from owner to owner, and each uses it as its own.
// expect: verified
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<long*> mailbox = nullptr;

int main() {
  std::thread a([] {
    auto* mine = new long(1);
    *mine += 1;
    mailbox.store(mine, std::memory_order_release);
  });
  std::thread b([] {
    if (long* mine = mailbox.exchange(nullptr, std::memory_order_acquire)) {
      assert(*mine == 2);
      *mine += 1;
      delete mine;
    }
  });
  a.join();
  b.join();
  if (long* left = mailbox.exchange(nullptr)) delete left;
}
