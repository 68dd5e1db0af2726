// The creator looks at its local variable before the child is joined.
// expect: finding data-race
#include <thread>

int main() {
  long result = 0;
  std::thread a([&] { result = 5; });
  const long early = result;
  a.join();
  return early > 5;
}
