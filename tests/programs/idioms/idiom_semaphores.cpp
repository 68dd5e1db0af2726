// A ring with two semaphores of the standard library: one counts what is there, one what is free.
// expect: verified
#include <array>
#include <cassert>
#include <cstddef>
#include <semaphore>
#include <thread>
#include <utility>

template <typename T, std::ptrdiff_t Size>
class Ring {
 public:
  void put(T value) {
    free_.acquire();
#ifdef BROKEN
    there_.release();
    slots_[back_++ % Size] = std::move(value);
#else
    slots_[back_++ % Size] = std::move(value);
    there_.release();
#endif
  }
  T take() {
    there_.acquire();
    return take_one();
  }
  bool try_take(T& out) {
    if (!there_.try_acquire()) return false;
    out = take_one();
    return true;
  }

 private:
  T take_one() {
    T out = std::move(slots_[front_++ % Size]);
    free_.release();
    return out;
  }
  std::array<T, Size> slots_{};
  alignas(64) std::size_t front_ = 0;
  alignas(64) std::size_t back_ = 0;
  std::counting_semaphore<Size> free_{Size}, there_{0};
};

int main() {
  Ring<int, 1> ring;
  std::thread producer([&] {
    for (int i = 1; i <= 2; ++i) ring.put(i);
  });
  int first = 0;
  if (!ring.try_take(first)) first = ring.take();
  const int second = ring.take();
  producer.join();
  assert(first == 1 && second == 2);
}
