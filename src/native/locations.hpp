// The objects that a worker names by address, as locations.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "base/check.hpp"
#include "model/access.hpp"
#include "native/knowledge.hpp"
#include "runtime/abi/wire.h"

namespace heddle::native {

class Locations {
 public:
  explicit Locations(Knowledge& knowledge) : knowledge_(knowledge) {}

  // Throws Learned if memory turns out to be accessed in parts that overlap.
  Access access(const abi::WireAccess& wire);

  // Whether what it uses is a whole location, and not a part of one.
  bool is_whole(const abi::WireAccess& wire) const;

  // The object of a location, without its mode.
  std::uint64_t object(Location location) const {
    HEDDLE_CHECK(location < objects_.size());
    return objects_[location];
  }

 private:
  Location named(std::uint64_t identity);
  Access memory_access(const abi::WireAccess& wire, Mode mode);

  Knowledge& knowledge_;
  std::unordered_map<std::uint64_t, Location> locations_;
  std::vector<std::uint64_t> objects_;
  std::unordered_map<std::uint64_t, std::vector<std::uint8_t>> parts_;  // of granules: masks
};

}  // namespace heddle::native
