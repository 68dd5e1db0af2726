// Elements of a vector of bool side by side are in one word.
// expect: finding data-race
#include <thread>
#include <vector>

std::vector<bool> v(8);
long seen = 0;

int main() {
  std::thread a([] { v[2] = true; });
  seen = v[3] ? 1 : 0;
  a.join();
}
