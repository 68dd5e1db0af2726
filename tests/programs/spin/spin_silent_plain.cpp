// A waiting loop that keeps what it read in a plain variable, as queues with cached indices do: to
// store what is there is not an effect.
// options: --max-steps 3000
// expect: verified optimal=1 observers=1
#include <atomic>
#include <thread>

std::atomic<int> flag{0};
int cache = 0;

int main() {
  std::thread t([] { flag = 1; });
  while (cache == 0) cache = flag.load();
  t.join();
}
