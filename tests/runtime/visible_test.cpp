#include "runtime/kernel/visible.hpp"

#include <vector>

#include "runtime/fakes.hpp"

namespace heddle::runtime {
namespace {

class VisibleTest : public fake::RuntimeTest {
 protected:
  static std::uint64_t memory(std::uint64_t granule, unsigned mask) {
    return granule << abi::mask_bits | mask;
  }
  static const void* at(std::uint64_t granule, unsigned byte) {
    return reinterpret_cast<const void*>((granule << abi::granule_bits) + byte);
  }
  static void set(const std::vector<std::uint64_t>& visible) {
    abi::Settings& s = fake::world().settings;
    s.visible_count = static_cast<std::uint32_t>(visible.size());
    std::copy(visible.begin(), visible.end(), s.visible);
    set_visible();
  }
  static std::vector<std::uint64_t> parts(const void* from, std::uint64_t size) {
    std::vector<std::uint64_t> out;
    for_visible(from, size, [&](std::uint64_t m) { out.push_back(m); });
    return out;
  }
};

TEST_F(VisibleTest, NothingIsAtFirst) {
  set({});
  EXPECT_FALSE(any_visible());
  EXPECT_FALSE(is_visible(at(10, 0), 8));
  EXPECT_TRUE(parts(at(10, 0), 8).empty());
}

TEST_F(VisibleTest, TheBytesThatAreSaidAre) {
  set({memory(10, 0x0f)});
  EXPECT_TRUE(any_visible());
  EXPECT_TRUE(is_visible(at(10, 3), 1));
  EXPECT_FALSE(is_visible(at(10, 4), 4));
  EXPECT_FALSE(is_visible(at(11, 0), 8));
  EXPECT_TRUE(is_visible(at(9, 7), 2));
  EXPECT_TRUE(is_visible(memory(10, 0x18)));
  EXPECT_FALSE(is_visible(memory(10, 0x30)));
}

TEST_F(VisibleTest, EachPartThatAnAccessTouchesIsVisited) {
  set({memory(10, 0x0f), memory(10, 0x3c), memory(11, 0x01)});
  EXPECT_EQ(parts(at(10, 2), 1), (std::vector<std::uint64_t>{memory(10, 0x0f), memory(10, 0x3c)}));
  EXPECT_EQ(parts(at(10, 5), 4), (std::vector<std::uint64_t>{memory(10, 0x3c), memory(11, 0x01)}));
}

// A granule has room for 15 masks. With more, all of it is one part: no access may be lost.
TEST_F(VisibleTest, TooManyWaysToOverlapAreOne) {
  std::vector<std::uint64_t> visible;
  for (unsigned mask = 1; mask <= 16; ++mask) visible.push_back(memory(10, mask));
  set(visible);
  EXPECT_TRUE(is_visible(at(10, 4), 1));
  EXPECT_TRUE(is_visible(at(10, 7), 1));
  EXPECT_EQ(parts(at(10, 0), 1), (std::vector<std::uint64_t>{memory(10, 0xff)}));
}

TEST_F(VisibleTest, NewSettingsReplaceTheOld) {
  set({memory(10, 0xff), abi::at_exit});
  EXPECT_TRUE(is_exit_visible());
  set({memory(11, 0xff)});
  EXPECT_FALSE(is_exit_visible());
  EXPECT_FALSE(is_visible(at(10, 0), 1));
}

TEST_F(VisibleTest, WhereAllIsVisibleOnlySomeIsLearned) {
  fake::world().settings.all_visible = 1;
  set({memory(10, 0x01)});
  EXPECT_TRUE(is_visible(at(99, 0), 1));
  EXPECT_EQ(parts(at(99, 6), 1), (std::vector<std::uint64_t>{memory(99, 0x40)}));
  EXPECT_TRUE(is_learned(at(10, 0), 1));
  EXPECT_FALSE(is_learned(at(99, 0), 1));
}

}  // namespace
}  // namespace heddle::runtime
