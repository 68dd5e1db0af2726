// A ring for one producer and one consumer, each with a copy of the other's index: the index itself
// is read only when the copy says that the ring is full, or empty.
// options: --max-steps 3000
// expect: verified
#include <atomic>
#include <cassert>
#include <cstddef>
#include <memory>
#include <new>
#include <thread>
#include <utility>

template <typename T>
class Ring {
 public:
  explicit Ring(std::size_t capacity)
      : capacity_(capacity + 1), slots_(allocator_.allocate(capacity_ + 2 * padding)) {}
  Ring(const Ring&) = delete;
  Ring& operator=(const Ring&) = delete;
  ~Ring() {
    while (front() != nullptr) pop();
    allocator_.deallocate(slots_, capacity_ + 2 * padding);
  }
  template <typename... Args>
  void emplace(Args&&... args) {
    const auto at = write_.load(std::memory_order_relaxed);
    const auto next = after(at);
    while (next == read_seen_) read_seen_ = read_.load(reload);
    new (&slots_[at + padding]) T(std::forward<Args>(args)...);
    write_.store(next, std::memory_order_release);
  }
  template <typename... Args>
  bool try_emplace(Args&&... args) {
    const auto at = write_.load(std::memory_order_relaxed);
    const auto next = after(at);
    if (next == read_seen_) {
      read_seen_ = read_.load(reload);
      if (next == read_seen_) return false;
    }
    new (&slots_[at + padding]) T(std::forward<Args>(args)...);
    write_.store(next, std::memory_order_release);
    return true;
  }
  T* front() noexcept {
    const auto at = read_.load(std::memory_order_relaxed);
    if (at == write_seen_) {
      write_seen_ = write_.load(std::memory_order_acquire);
      if (at == write_seen_) return nullptr;
    }
    return &slots_[at + padding];
  }
  void pop() noexcept {
    const auto at = read_.load(std::memory_order_relaxed);
    slots_[at + padding].~T();
    read_.store(after(at), std::memory_order_release);
  }

 private:
  static constexpr std::size_t line = 64, padding = (line - 1) / sizeof(T) + 1;
#ifdef BROKEN
  static constexpr auto reload = std::memory_order_relaxed;
#else
  static constexpr auto reload = std::memory_order_acquire;
#endif
  std::size_t after(std::size_t at) const { return at + 1 == capacity_ ? 0 : at + 1; }

  std::size_t capacity_;
  std::allocator<T> allocator_;
  T* slots_;
  alignas(line) std::atomic<std::size_t> write_{0};
  alignas(line) std::size_t read_seen_ = 0;
  alignas(line) std::atomic<std::size_t> read_{0};
  alignas(line) std::size_t write_seen_ = 0;
};

int main() {
  Ring<std::unique_ptr<int>> ring(1);
  std::thread producer([&] {
    for (int i = 1; i <= 3; ++i) ring.emplace(std::make_unique<int>(i));
    ring.try_emplace(nullptr);
  });
  for (int i = 1; i <= 3; ++i) {
    while (ring.front() == nullptr) {
    }
    assert(**ring.front() == i);
    ring.pop();
  }
  producer.join();
  assert(ring.front() == nullptr || *ring.front() == nullptr);
}
