// Three buffers: one is written, one is read, and one in between is exchanged with either; a bit
// says whether it is newer than what the reader has.
// expect: verified
#include <array>
#include <atomic>
#include <cassert>
#include <cstdint>
#include <thread>

template <typename T>
class TripleBuffer {
 public:
  T& writing() { return buffers_[back_]; }
  void publish() {
#ifdef BROKEN
    const std::uint8_t between = between_.load(std::memory_order_acquire);
    between_.store(back_ | fresh, std::memory_order_release);
    back_ = between & index;
#else
    back_ = between_.exchange(back_ | fresh, std::memory_order_acq_rel) & index;
#endif
  }
  bool update() {
    if ((between_.load(std::memory_order_relaxed) & fresh) == 0) return false;
    front_ = between_.exchange(front_, std::memory_order_acq_rel) & index;
    return true;
  }
  const T& reading() const { return buffers_[front_]; }

 private:
  static constexpr std::uint8_t fresh = 4, index = 3;
  std::array<T, 3> buffers_{};
  alignas(64) std::atomic<std::uint8_t> between_{1};
  alignas(64) std::uint8_t back_ = 0;
  alignas(64) std::uint8_t front_ = 2;
};

struct Frame {
  int number = 0;
  int square = 0;
};

int main() {
  TripleBuffer<Frame> buffer;
  std::thread writer([&] {
    for (int i = 1; i <= 3; ++i) {
      buffer.writing() = {i, i * i};
      buffer.publish();
    }
  });
  int last = 0;
  for (int i = 0; i < 2; ++i) {
    const bool updated = buffer.update();
    const Frame& frame = buffer.reading();
    assert(frame.square == frame.number * frame.number);
    assert(updated ? frame.number > last : frame.number == last);
    last = frame.number;
  }
  writer.join();
  buffer.update();
  assert(buffer.reading().number == 3);
}
