// Readers are counted while they look; who has published a new version waits until there are none.
// expect: verified
#include <atomic>
#include <cassert>
#include <thread>

struct Version {
  long a, b;
};
std::atomic<Version*> current = new Version{1, 1};
std::atomic<int> readers = 0;

int main() {
  std::thread reader([] {
    readers.fetch_add(1);
    const Version* v = current;
    assert(v->a == v->b);
    readers.fetch_sub(1);
  });
  Version* old = current.exchange(new Version{2, 2});
  while (readers != 0) {
  }
  delete old;
  reader.join();
  delete current;
}
