// A value that is made on first use: looked for without the lock, and again with it.
// expect: verified
#include <atomic>
#include <cassert>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

template <typename T>
class Lazy {
 public:
  explicit Lazy(std::function<T()> make) : make_(std::move(make)) {}
  Lazy(const Lazy&) = delete;
  Lazy& operator=(const Lazy&) = delete;
  ~Lazy() { delete value_.load(std::memory_order_relaxed); }
  T& get() {
#ifdef BROKEN
    T* value = value_.load(std::memory_order_relaxed);
#else
    T* value = value_.load(std::memory_order_acquire);
#endif
    if (value == nullptr) {
      std::lock_guard guard(mutex_);
      value = value_.load(std::memory_order_relaxed);
      if (value == nullptr) {
        value = new T(make_());
        value_.store(value, std::memory_order_release);
      }
    }
    return *value;
  }

 private:
  std::function<T()> make_;
  std::atomic<T*> value_{nullptr};
  std::mutex mutex_;
};

int main() {
  int made = 0;
  std::atomic<int> failed{0};
  Lazy<std::string> name([&] {
    if (++made == 1) throw std::runtime_error("not yet");
    return std::string("a name that takes a block of the heap");
  });
  const auto use = [&] {
    try {
      assert(name.get().size() == 37);
    } catch (const std::runtime_error&) {
      ++failed;
    }
  };
  std::thread a(use), b(use);
  use();
  a.join();
  b.join();
  assert(failed == 1 && made == 2);
}
