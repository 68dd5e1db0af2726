// A latch of the standard library: waiting threads see all that was done before it was counted down.
// expect: verified
#include <array>
#include <cassert>
#include <latch>
#include <thread>

int main() {
  std::latch ready(2), done(2);
  std::array<int, 2> parts{};
  int sums[2] = {};
  const auto work = [&](int part) {
#ifdef BROKEN
    ready.count_down();
    parts[part] = part + 1;
#else
    parts[part] = part + 1;
    ready.count_down();
#endif
    ready.wait();
    sums[part] = parts[0] + parts[1];
    done.count_down();
  };
  std::thread a(work, 0), b(work, 1);
  done.wait();
  assert(sums[0] == 3 && sums[1] == 3 && done.try_wait());
  a.join();
  b.join();
}
