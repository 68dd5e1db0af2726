#include "runtime/kernel/incarnations.hpp"

#include "runtime/fakes.hpp"
#include "runtime/kernel/objects.hpp"

namespace heddle::runtime {
namespace {

class IncarnationsTest : public fake::RuntimeTest {
 protected:
  IncarnationsTest() {
    static const bool once = (set_up_incarnations(), true);
    static_cast<void>(once);
    clear_incarnations();
  }
};

TEST_F(IncarnationsTest, ReadersOfALockAreCountedByThread) {
  RwLock lock{};
  lock.add_held(6, 15);
  lock.add_held(7, 1);
  lock.add_held(7, 1);
  EXPECT_EQ(lock.held_by(6), 15U);
  EXPECT_EQ(lock.held_by(7), 2U);
  lock.add_held(7, -2);
  EXPECT_EQ(lock.held_by(6), 15U);
  EXPECT_EQ(lock.held_by(7), 0U);
  lock.add_held(63, 1);
  EXPECT_EQ(lock.held_by(63), 1U);
}

TEST_F(IncarnationsTest, AnObjectThatIsInitialisedAgainIsANewOne) {
  char object = 0, other = 0;
  EXPECT_EQ(incarnation_of(&object), 0U);
  EXPECT_EQ(next_incarnation(&object), 1U);
  EXPECT_EQ(next_incarnation(&object), 2U);
  EXPECT_EQ(incarnation_of(&object), 2U);
  EXPECT_EQ(incarnation_of(&other), 0U);
  EXPECT_NE(incarnation_key(&object, 1), incarnation_key(&object, 2));
  clear_incarnations();
  EXPECT_EQ(incarnation_of(&object), 0U);
}

TEST_F(IncarnationsTest, AKeyLeavesTheAddressAndTheModeAlone) {
  const std::uint64_t key = incarnation_key(this, 0x1ff);
  EXPECT_EQ(key & ((std::uint64_t{1} << 47) - 1), reinterpret_cast<std::uint64_t>(this));
  EXPECT_EQ(key >> abi::mode_shift, 0U);
}

TEST_F(IncarnationsTest, SpinlocksHaveNoStaticInitialiser) {
  SpinLock lock{};
  EXPECT_TRUE(lock.has_ended());
  lock.mark = SpinLock::begun;
  EXPECT_FALSE(lock.has_ended());
}

}  // namespace
}  // namespace heddle::runtime
