// A map is searched while another thread inserts: the tree is changed inside the library.
// expect: finding data-race
#include <map>
#include <thread>

std::map<int, int> m;
long seen = 0;

int main() {
  std::thread a([] { m.emplace(1, 1); });
  seen = static_cast<long>(m.count(1));
  a.join();
}
