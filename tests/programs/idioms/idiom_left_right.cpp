// Left and right: two copies, of which readers have one while the other is changed; they never
// wait. A writer waits until all that may still read the old one are gone.
// expect: verified
#include <array>
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

template <typename T>
class LeftRight {
 public:
  template <typename F>
  auto read(F&& look) const {
    Indicator& readers = readers_[version_.load(std::memory_order_seq_cst)];
    readers.count.fetch_add(1, std::memory_order_seq_cst);
    const auto out = look(copies_[side_.load(std::memory_order_seq_cst)]);
    readers.count.fetch_sub(1, std::memory_order_release);
    return out;
  }
  template <typename F>
  void change(F&& what) {
    std::lock_guard guard(writer_);
    const int side = side_.load(std::memory_order_relaxed);
    what(copies_[1 - side]);
    side_.store(1 - side, std::memory_order_seq_cst);
    const int version = version_.load(std::memory_order_relaxed);
#ifndef BROKEN
    wait_for_none(1 - version);
#endif
    version_.store(1 - version, std::memory_order_seq_cst);
#ifndef BROKEN
    wait_for_none(version);
#endif
    what(copies_[side]);
  }

 private:
  struct alignas(64) Indicator {
    std::atomic<int> count{0};
  };
  void wait_for_none(int version) const {
    while (readers_[version].count.load(std::memory_order_seq_cst) != 0) std::this_thread::yield();
  }
  mutable std::array<Indicator, 2> readers_;
  alignas(64) std::atomic<int> version_{0}, side_{0};
  std::array<T, 2> copies_{};
  std::mutex writer_;
};

struct Pair {
  int a = 0, b = 0;
};

int main() {
  LeftRight<Pair> pair;
  std::thread reader([&] {
    const auto same = [](const Pair& p) { return p.a == p.b; };
    assert(pair.read(same));
    assert(pair.read(same));
  });
  for (int i = 0; i < 2; ++i) {
    pair.change([](Pair& p) {
      ++p.a;
      ++p.b;
    });
  }
  reader.join();
  assert(pair.read([](const Pair& p) { return p.a + p.b; }) == 4);
}
