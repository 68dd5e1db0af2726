// A vector of plain values, the first few of which need no memory of their own. For structures of
// which there are millions, most of them small.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <span>
#include <type_traits>

namespace heddle {

template <typename T, std::uint32_t few>
class SmallVector {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  SmallVector() = default;
  SmallVector(const SmallVector&) = delete;
  SmallVector& operator=(const SmallVector&) = delete;
  ~SmallVector() { clear(); }

  T* begin() { return large_ == nullptr ? own() : large_; }
  T* end() { return begin() + size_; }
  const T* begin() const { return large_ == nullptr ? own() : large_; }
  const T* end() const { return begin() + size_; }
  std::uint32_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T& operator[](std::size_t k) { return begin()[k]; }
  const T& operator[](std::size_t k) const { return begin()[k]; }
  T& front() { return *begin(); }
  T& back() { return end()[-1]; }

  void push_back(const T& value) { insert(end(), value); }
  // The value may not be one of these.
  void insert(const T* where, const T& value) {
    const auto at = static_cast<std::uint32_t>(where - begin());
    if (size_ == capacity_) grow();
    T* const place = begin() + at;
    std::copy_backward(place, end(), end() + 1);
    *place = value;
    ++size_;
  }
  void assign(std::span<const T> values) {
    clear();
    for (const T& value : values) push_back(value);
  }
  template <typename Predicate>
  void remove_if(Predicate predicate) {
    size_ = static_cast<std::uint32_t>(std::remove_if(begin(), end(), predicate) - begin());
  }
  // Frees the memory, too.
  void clear() {
    std::free(large_);
    large_ = nullptr;
    size_ = 0;
    capacity_ = few;
  }

 private:
  T* own() { return std::launder(reinterpret_cast<T*>(few_)); }
  const T* own() const { return std::launder(reinterpret_cast<const T*>(few_)); }

  void grow() {
    T* const larger = static_cast<T*>(std::malloc(sizeof(T) * capacity_ * 2));
    if (larger == nullptr) throw std::bad_alloc();
    std::copy(begin(), end(), larger);
    std::free(large_);
    large_ = larger;
    capacity_ *= 2;
  }

  T* large_ = nullptr;
  std::uint32_t size_ = 0;
  std::uint32_t capacity_ = few;
  alignas(T) std::byte few_[sizeof(T) * few];
};

}  // namespace heddle
