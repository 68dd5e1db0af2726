// One of two locks is never unlocked: the thread that takes both tries for ever.
// expect: finding deadlock
#include <mutex>
#include <thread>

std::mutex first, second;

int main() {
  second.lock();
  std::thread a([] { std::scoped_lock both(first, second); });
  a.join();
}
