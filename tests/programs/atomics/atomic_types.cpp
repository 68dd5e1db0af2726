// std::atomic of every kind of type; alone, there is one execution.
// expect: verified optimal=1 observers=1
#include <atomic>
#include <cassert>
#include <cstdint>

enum class Colour : char { red, green };
struct Pair {
  std::int32_t a, b;
  bool operator==(const Pair&) const = default;
};

template <typename T>
void exercise(T one, T two, T three) {
  std::atomic<T> x(one);
  T expected = three;
  assert(x.load() == one && x.exchange(two) == one && x == two);
  assert(!x.compare_exchange_strong(expected, one) && expected == two);
  assert(x.compare_exchange_strong(expected, three, std::memory_order_acq_rel) && x == three);
  x.store(one, std::memory_order_relaxed);
  while (!x.compare_exchange_weak(expected, two)) {
  }
  assert(x.load(std::memory_order_acquire) == two);
}

int main() {
  exercise<bool>(false, true, false);
  exercise<char>('a', 'b', 'c');
  exercise<std::int16_t>(-1, 1, 300);
  exercise<int>(-1, 1, 1 << 30);
  exercise<std::uint64_t>(1, 2, ~0ULL);
  exercise<float>(0.5F, -1.5F, 1e30F);
  exercise<double>(0.5, -1.5, 1e300);
  exercise<Colour>(Colour::red, Colour::green, Colour::red);
  exercise<Pair>({1, 2}, {3, 4}, {5, 6});
  int array[3];
  exercise<int*>(array, array + 1, nullptr);
  exercise<void (*)()>([] {}, nullptr, [] {});
  std::atomic<double> sum = 1;
  sum += 2.5;
  assert(sum.fetch_sub(0.5) == 3.5 && sum == 3);
  std::atomic<int*> p = array;
  assert(++p == array + 1 && p.fetch_add(1) == array + 1 && p == array + 2);
}
