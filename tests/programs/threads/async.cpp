// std::async: a value, an exception, and a function that runs only when it is asked for.
// expect: verified
#include <cassert>
#include <future>
#include <stdexcept>

int main() {
  long x = 0;
  auto value = std::async(std::launch::async, [] { return 3; });
  auto fails = std::async(std::launch::async, []() -> int { throw std::logic_error("no"); });
  auto later = std::async(std::launch::deferred, [&x] { return ++x; });
  assert(value.get() == 3 && x == 0 && later.get() == 1 && x == 1);
  try {
    fails.get();
    assert(false);
  } catch (const std::logic_error& error) {
    assert(error.what()[0] == 'n');
  }
}
