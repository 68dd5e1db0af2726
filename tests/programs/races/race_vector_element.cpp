// Two threads use the same element of a vector; the vector itself does not change.
// expect: finding data-race
#include <thread>
#include <vector>

std::vector<long> v(4);
long seen = 0;

int main() {
  std::thread a([] { v[2] = 1; });
  seen = v[1] + v[2];
  a.join();
}
