// Short lists of plain values, for structures of which there are millions: a list takes 8 bytes,
// and its values what they are, rounded up to a few sizes. Memory that one list frees is used
// for the next.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "base/check.hpp"

namespace heddle {

class Pool {
 public:
  Pool() { add_chunks(1); }

  // Belongs to one pool, which alone can look into it, and does not give its memory back by itself.
  template <typename T>
  class List {
    static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= 8);

   public:
    std::uint32_t size() const { return size_; }
    bool empty() const { return size_ == 0; }

   private:
    friend class Pool;
    static constexpr std::uint32_t most = (1U << 24) - 1;
    void set_size(std::size_t size) { size_ = static_cast<std::uint32_t>(size) & most; }

    std::uint32_t place_ = 0;      // its first unit
    std::uint32_t size_ : 24 = 0;  // values
    std::uint32_t room_ : 8 = 0;   // which of the sizes it has
  };

  // Valid until a list is made longer.
  template <typename T>
  std::span<T> of(const List<T>& list) {
    return {static_cast<T*>(at(list.place_)), list.size_};
  }
  template <typename T>
  std::span<const T> of(const List<T>& list) const {
    return {static_cast<const T*>(at(list.place_)), list.size_};
  }

  template <typename T>
  void insert(List<T>& list, std::size_t where, T value) {
    if (list.size_ == capacity<T>(list.room_)) enlarge(list, list.size_ + 1);
    T* const begin = static_cast<T*>(at(list.place_));
    std::copy_backward(begin + where, begin + list.size_, begin + list.size_ + 1);
    begin[where] = value;
    list.set_size(list.size_ + std::size_t{1});
  }
  template <typename T>
  void push_back(List<T>& list, T value) {
    if (list.size_ == capacity<T>(list.room_)) enlarge(list, list.size_ + 1);
    static_cast<T*>(at(list.place_))[list.size_] = value;
    list.set_size(list.size_ + std::size_t{1});
  }
  // REQUIRES: the values are not of this pool.
  template <typename T>
  void assign(List<T>& list, std::span<const T> values) {
    if (values.size() > capacity<T>(list.room_)) enlarge(list, values.size());
    std::ranges::copy(values, static_cast<T*>(at(list.place_)));
    list.set_size(values.size());
  }
  // Keeps the first of them, and its memory.
  template <typename T>
  void shorten(List<T>& list, std::size_t size) {
    list.set_size(size);
  }
  // Gives the memory back.
  template <typename T>
  void clear(List<T>& list) {
    give_back(list.place_, list.room_);
    list = {};
  }

  // That lists have, in bytes.
  std::size_t memory() const { return (used_ - unused_) * sizeof(Unit); }

 private:
  // Memory is counted in units, and comes in chunks of these; a list longer than that has several
  // in a row.
  using Unit = std::uint64_t;
  static constexpr std::size_t chunk_bits = 12;
  static constexpr std::size_t chunk_units = std::size_t{1} << chunk_bits;
  static constexpr std::uint32_t nowhere = ~std::uint32_t{0};
  // 0, 1, 2, 3, 4, 6, 8, 12, ... units: at most a third is in vain.
  static constexpr std::size_t rooms = 60;
  static constexpr std::size_t units(std::size_t room) {
    if (room < 2) return room;
    return room % 2 == 0 ? std::size_t{1} << room / 2 : std::size_t{3} << (room / 2 - 1);
  }

  template <typename T>
  static std::size_t capacity(std::size_t room) {
    return units(room) * sizeof(Unit) / sizeof(T);
  }
  void* at(std::uint32_t place) const {
    return chunks_[place >> chunk_bits] + (place & (chunk_units - 1));
  }

  template <typename T>
  void enlarge(List<T>& list, std::size_t size) {
    HEDDLE_CHECK(size <= List<T>::most);
    std::size_t room = list.room_;
    while (capacity<T>(room) < size) ++room;
    const std::uint32_t place = take(room);
    std::ranges::copy(of(list), static_cast<T*>(at(place)));
    give_back(list.place_, list.room_);
    list.place_ = place;
    list.room_ = static_cast<std::uint8_t>(room);
  }

  std::uint32_t take(std::size_t room) {
    if (const std::uint32_t place = free_[room]; place != nowhere) {
      free_[room] = *static_cast<std::uint32_t*>(at(place));
      unused_ -= units(room);
      return place;
    }
    const std::size_t n = units(room);
    if (used_ + n > chunks_.size() << chunk_bits || (used_ & (chunk_units - 1)) + n > chunk_units)
      add_chunks(n);
    const auto place = static_cast<std::uint32_t>(used_);
    used_ += n;
    return place;
  }
  void give_back(std::uint32_t place, std::size_t room) {
    if (room == 0) return;
    *static_cast<std::uint32_t*>(at(place)) = free_[room];
    free_[room] = place;
    unused_ += units(room);
  }
  void add_chunks(std::size_t n) {
    used_ = chunks_.size() << chunk_bits;
    const std::size_t count = (n + chunk_units - 1) >> chunk_bits;
    HEDDLE_CHECK(((chunks_.size() + count) << chunk_bits) < nowhere);
    memory_.push_back(std::make_unique_for_overwrite<Unit[]>(count << chunk_bits));
    for (std::size_t k = 0; k < count; ++k)
      chunks_.push_back(memory_.back().get() + (k << chunk_bits));
  }

  std::vector<std::unique_ptr<Unit[]>> memory_;
  std::vector<Unit*> chunks_;
  std::size_t used_ = 0;    // units, of all chunks
  std::size_t unused_ = 0;  // of these, free
  std::array<std::uint32_t, rooms> free_ = [] {
    std::array<std::uint32_t, rooms> out;
    out.fill(nowhere);
    return out;
  }();
};

}  // namespace heddle
