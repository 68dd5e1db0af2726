#include "runtime/kernel/granules.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace heddle::runtime {
namespace {

using Parts = std::vector<std::pair<std::uint64_t, unsigned>>;

Parts parts(std::uint64_t address, std::uint64_t size) {
  Parts out;
  for_granules(reinterpret_cast<const void*>(address), size,
               [&](std::uint64_t granule, std::uint8_t mask) { out.emplace_back(granule, mask); });
  return out;
}

TEST(Granules, OneAccessWithinAGranule) {
  EXPECT_EQ(parts(0x1000, 1), (Parts{{0x200, 0x01}}));
  EXPECT_EQ(parts(0x1004, 4), (Parts{{0x200, 0xf0}}));
  EXPECT_EQ(parts(0x1000, 8), (Parts{{0x200, 0xff}}));
}

TEST(Granules, AnAccessThatIsNotAlignedTouchesTwo) {
  EXPECT_EQ(parts(0x1006, 4), (Parts{{0x200, 0xc0}, {0x201, 0x03}}));
}

TEST(Granules, ARangeHasItsEndsInPart) {
  EXPECT_EQ(parts(0x1007, 10), (Parts{{0x200, 0x80}, {0x201, 0xff}, {0x202, 0x01}}));
}

TEST(Granules, NothingIsNoGranule) {
  EXPECT_TRUE(parts(0x1000, 0).empty());
  EXPECT_TRUE(parts(0x1003, 0).empty());
}

}  // namespace
}  // namespace heddle::runtime
