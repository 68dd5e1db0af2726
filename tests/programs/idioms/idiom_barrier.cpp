// A barrier of the standard library: workers compute in phases, who comes last swaps what they read
// and what they write, and who has nothing left to do drops out.
// expect: verified
#include <array>
#include <barrier>
#include <cassert>
#include <thread>
#include <utility>

int main() {
  using Row = std::array<int, 2>;
  Row first{1, 2}, second{};
  Row *from = &first, *to = &second;
  const auto swap = [&]() noexcept { std::swap(from, to); };
  std::barrier phase(2, swap);
  std::thread other([&] {
    (*to)[1] = (*from)[0] + (*from)[1];
#ifndef BROKEN
    phase.arrive_and_drop();
#endif
  });
  for (int i = 0; i < 2; ++i) {
    (*to)[0] = 10 * (*from)[0];
    phase.arrive_and_wait();
  }
  other.join();
  assert(first[0] == 100 && second[0] == 10 && second[1] == 3 && from == &first);
}
