// An optional is filled while another thread looks whether it is.
// expect: finding data-race
#include <optional>
#include <thread>

std::optional<long> o;
long seen = 0;

int main() {
  std::thread a([] { o = 3; });
  seen = o.has_value() ? 1 : 0;
  a.join();
}
