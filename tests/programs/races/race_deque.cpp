// A deque is read at one end while something is put in at the other.
// expect: finding data-race
#include <deque>
#include <thread>

std::deque<long> d(3);
long seen = 0;

int main() {
  std::thread a([] { d.push_back(1); });
  seen = d[0] + static_cast<long>(d.size());
  a.join();
}
