// Whether the reader has synchronised with the writer is not to be taken from the run before: some
// runs in which it has not continue from one in which it has.
// options: --keep-going
// expect: finding data-race line here
#include <atomic>
#include <thread>

std::atomic<int> flag, hurry, noise;
int data, seen;

int main() {
  std::thread writer([] {
    data = 1;
    flag.store(1, std::memory_order_release);
  });
  std::thread reader([] {
    if (flag.load(std::memory_order_relaxed) == 0) return;
    if (hurry.load(std::memory_order_relaxed) == 0) flag.load(std::memory_order_acquire);
    seen = data;  // here
  });
  std::thread chooser([] { hurry.store(1, std::memory_order_relaxed); });
  // So that there are many runs, and each is known when the one before it is made.
  std::thread others[3];
  for (std::thread& t : others) t = std::thread([] { noise.fetch_add(1); });
  writer.join();
  reader.join();
  chooser.join();
  for (std::thread& t : others) t.join();
}
