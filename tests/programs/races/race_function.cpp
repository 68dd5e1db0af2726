// A std::function is replaced while it may be called.
// expect: finding data-race
#include <functional>
#include <thread>

std::function<long()> f = [] { return 1; };
long seen = 0;

int main() {
  std::thread a([] { f = [] { return 2; }; });
  seen = f();
  a.join();
}
