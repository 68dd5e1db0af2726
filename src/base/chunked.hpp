// An array that only grows, and does so without moving: what it has needs no memory twice, and
// references stay valid.
#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>
#include <vector>

namespace heddle {

template <typename T>
class Chunked {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  std::size_t size() const { return size_; }
  T& operator[](std::size_t k) { return chunks_[k / chunk_size][k % chunk_size]; }
  const T& operator[](std::size_t k) const { return chunks_[k / chunk_size][k % chunk_size]; }

  void push_back(const T& value) {
    if (size_ == chunks_.size() * chunk_size)
      chunks_.push_back(std::make_unique_for_overwrite<T[]>(chunk_size));
    (*this)[size_++] = value;
  }

  std::size_t memory() const { return chunks_.size() * chunk_size * sizeof(T); }  // in bytes

 private:
  static constexpr std::size_t chunk_size = 512;

  std::vector<std::unique_ptr<T[]>> chunks_;
  std::size_t size_ = 0;
};

}  // namespace heddle
