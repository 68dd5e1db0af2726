// A child works on an object on its creator's stack, which the creator leaves alone until the join.
// expect: verified optimal=1 observers=1
#include <cassert>
#include <thread>

long sum_of(const long* from, long n) {
  long sum = 0;
  for (long i = 0; i < n; ++i) sum += from[i];
  return sum;
}

int main() {
  long numbers[8] = {1, 2, 3, 4, 5, 6, 7, 8}, low = 0;
  std::thread a([&] { low = sum_of(numbers, 4); });
  const long high = sum_of(numbers + 4, 4);
  a.join();
  assert(low + high == 36);
}
