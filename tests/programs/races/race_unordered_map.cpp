// A hash table is searched while another thread inserts.
// expect: finding data-race
#include <thread>
#include <unordered_map>

std::unordered_map<int, int> m;
long seen = 0;

int main() {
  std::thread a([] { m[1] = 1; });
  seen = static_cast<long>(m.count(1));
  a.join();
}
