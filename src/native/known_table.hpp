// The states that an exploration knows, for workers to end their runs there (abi::KnownTable).
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/abi/wire.h"

namespace heddle::native {

class KnownTable {
 public:
  KnownTable() = default;
  ~KnownTable() { detach(); }
  KnownTable(const KnownTable&) = delete;
  KnownTable& operator=(const KnownTable&) = delete;

  // From now on, the table is in the file of this channel. All that was added before is added
  // there. REQUIRES: both outlive the table, or detach is called.
  void attach(int file, abi::KnownTable& shared);
  void detach();

  // A state becomes known. If there is no more room or memory, it is not: runs then only become
  // longer.
  void add(std::uint64_t key);
  // None is known any more.
  void clear();

 private:
  bool make_room();
  bool map(std::uint32_t bits);
  void insert(std::uint64_t key);

  int file_ = -1;
  abi::KnownTable* shared_ = nullptr;
  std::uint32_t bits_ = 0;  // of the table that is mapped
  std::uint64_t* slots_ = nullptr;
  std::vector<std::uint64_t> keys_;
};

}  // namespace heddle::native
