// Everything is as it was at the start of each run: memory, the heap, the C library.
// expect: verified optimal=2 observers=1
// allow: leak
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>

long runs = 0;
static char page[20000];
std::string name = "a string that was made before main, on the heap";
std::unique_ptr<long> owned = std::make_unique<long>(5);
std::atomic<long> x;

int main() {
  assert(++runs == 1);
  for (char& c : page) assert(c++ == 0);
  assert(name == "a string that was made before main, on the heap" && *owned == 5);
  assert(std::rand() == 1804289383);
  assert(std::getenv("HEDDLE_TEST") == nullptr);
  setenv("HEDDLE_TEST", "1", 1);
  std::thread a([] { x = 1; }), b([] { x = 2; });
  a.join();
  b.join();
  name = "another";
  *owned = 6;
  owned.reset();
}
