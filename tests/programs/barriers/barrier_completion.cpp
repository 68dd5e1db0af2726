// std::barrier: what is to be done between two phases is done once, when no other thread runs.
// expect: verified
#include <barrier>
#include <cassert>
#include <thread>

long part[2], sum = 0, completions = 0;

int main() {
  auto complete = []() noexcept {
    sum += part[0] + part[1];
    ++completions;
  };
  std::barrier barrier(2, complete);
  const auto work = [&](int i) {
    part[i] = i + 1;
    barrier.arrive_and_wait();
    assert(sum == 3);
  };
  std::thread a(work, 0);
  work(1);
  a.join();
  assert(completions == 1);
}
