// One shared_ptr object is copied by one thread and reset by another.
// expect: finding data-race or use-after-free
#include <memory>
#include <thread>

auto shared = std::make_shared<long>(5);

int main() {
  std::thread a([] { shared.reset(); });
  const auto copy = shared;
  a.join();
}
