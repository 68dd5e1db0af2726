// Two threads that hold the lock for reading, and wait for it to be free to write.
// expect: finding deadlock
#include <map>
#include <mutex>
#include <shared_mutex>
#include <thread>

std::shared_mutex m;
std::map<int, int> cache;

void lookup(int key) {
  m.lock_shared();
  if (!cache.contains(key)) {
    m.lock();
    cache[key] = key * key;
    m.unlock();
  }
  m.unlock_shared();
}

int main() {
  std::thread a(lookup, 1), b(lookup, 2);
  a.join();
  b.join();
}
