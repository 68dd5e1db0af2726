// A vector grows within its capacity while another thread asks how large it is.
// expect: finding data-race
#include <thread>
#include <vector>

std::vector<int> v = [] {
  std::vector<int> out;
  out.reserve(4);
  return out;
}();
long seen = 0;

int main() {
  std::thread a([] { v.push_back(1); });
  seen = static_cast<long>(v.size());
  a.join();
}
