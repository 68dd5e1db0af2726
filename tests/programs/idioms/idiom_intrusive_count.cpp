// An intrusive count of references: relaxed when it grows, release when it shrinks, and an acquire
// fence before the object is deleted.
// expect: verified
#include <atomic>
#include <cassert>
#include <thread>
#include <utility>

class Counted {
 public:
  friend void add_reference(const Counted* p) {
    p->references_.fetch_add(1, std::memory_order_relaxed);
  }
  friend void release(const Counted* p) {
#ifdef BROKEN
    if (p->references_.fetch_sub(1, std::memory_order_relaxed) == 1) {
#else
    if (p->references_.fetch_sub(1, std::memory_order_release) == 1) {
      std::atomic_thread_fence(std::memory_order_acquire);
#endif
      delete p;
    }
  }
  virtual ~Counted() = default;

 private:
  mutable std::atomic<int> references_{0};
};

template <typename T>
class Pointer {
 public:
  explicit Pointer(T* p = nullptr) : p_(p) {
    if (p_ != nullptr) add_reference(p_);
  }
  Pointer(const Pointer& other) : Pointer(other.p_) {}
  Pointer(Pointer&& other) noexcept : p_(std::exchange(other.p_, nullptr)) {}
  Pointer& operator=(Pointer other) noexcept {
    std::swap(p_, other.p_);
    return *this;
  }
  ~Pointer() {
    if (p_ != nullptr) release(p_);
  }
  T* operator->() const { return p_; }

 private:
  T* p_;
};

struct Buffer : Counted {
  int parts[3] = {};
  ~Buffer() override { parts[0] = parts[1] = parts[2] = -1; }
};

int main() {
  std::thread a, b;
  {
    Pointer<Buffer> buffer(new Buffer);
    a = std::thread([buffer] { buffer->parts[0] = 1; });
    b = std::thread([buffer] {
      Pointer<Buffer> copy = buffer;
      copy->parts[1] = 1;
    });
    buffer->parts[2] = 1;
  }
  a.join();
  b.join();
}
