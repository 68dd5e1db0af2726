#include "native/known_table.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstring>

#include "base/check.hpp"

namespace heddle::native {

void KnownTable::attach(int file, abi::KnownTable& shared) {
  detach();
  file_ = file;
  shared_ = &shared;
  const std::vector<std::uint64_t> before = std::move(keys_);
  keys_.clear();
  for (const std::uint64_t key : before) add(key);
}

void KnownTable::detach() {
  if (slots_ != nullptr) munmap(slots_, abi::known_bytes(bits_));
  slots_ = nullptr;
  bits_ = 0;
  file_ = -1;
  shared_ = nullptr;
}

void KnownTable::clear() {
  keys_.clear();
  if (slots_ != nullptr) std::memset(slots_, 0, abi::known_bytes(bits_));
}

void KnownTable::add(std::uint64_t key) {
  if (key == 0 || shared_ == nullptr || !make_room()) return;
  keys_.push_back(key);
  insert(key);
}

bool KnownTable::make_room() {
  if (bits_ != 0 && 2 * keys_.size() < abi::known_slots(bits_)) return true;
  const std::uint32_t more = bits_ == 0 ? abi::first_known_bits : bits_ + 1;
  if (more > abi::last_known_bits || !map(more)) return false;
  for (const std::uint64_t key : keys_) insert(key);
  shared_->bits.store(more, std::memory_order_release);
  return true;
}

// The new table in place of the old one, which a worker may still read. False: there is no memory.
bool KnownTable::map(std::uint32_t bits) {
  HEDDLE_CHECK(abi::may_be_known_bits(bits));
  const std::uint64_t at = abi::known_at(bits), bytes = abi::known_bytes(bits);
  if (ftruncate(file_, static_cast<off_t>(at + bytes)) != 0) return false;
  void* p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file_, static_cast<off_t>(at));
  if (p == MAP_FAILED) return false;
  if (slots_ != nullptr) munmap(slots_, abi::known_bytes(bits_));
  slots_ = static_cast<std::uint64_t*>(p);
  bits_ = bits;
  return true;
}

void KnownTable::insert(std::uint64_t key) {
  const std::uint64_t mask = abi::known_slots(bits_) - 1;
  std::uint64_t k = key & mask;
  while (slots_[k] != 0 && slots_[k] != key) k = (k + 1) & mask;
  std::atomic_ref(slots_[k]).store(key, std::memory_order_relaxed);
}

}  // namespace heddle::native
