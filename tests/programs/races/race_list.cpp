// A list is read while another thread links a node into it: that code is inside the library.
// expect: finding data-race
#include <list>
#include <thread>

std::list<long> l = {1};
long seen = 0;

int main() {
  std::thread a([] { l.push_back(2); });
  seen = *--l.end();
  a.join();
}
