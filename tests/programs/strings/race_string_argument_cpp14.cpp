// expect: finding data-race
// cflags: -std=c++14
// A string that another is assigned from is read.
#include <string>
#include <thread>

std::string shared(100, 'a'), copy;

int main() {
  std::thread a([] { copy = shared; }), b([] { shared[3] = 'b'; });
  a.join();
  b.join();
}
