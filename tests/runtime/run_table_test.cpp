#include "runtime/kernel/run_table.hpp"

#include "runtime/fakes.hpp"

namespace heddle::runtime {
namespace {

struct Entry {
  std::uint64_t key;
  std::uint32_t value;
};

class RunTableTest : public fake::RuntimeTest {
 protected:
  RunTableTest() {
    table.set_up(1 << 6);
    table.clear();
  }
  static inline RunTable<Entry> table;

  static bool save(Savepoint& into) {
    table.save(into);
    return true;
  }
};

TEST_F(RunTableTest, ANewEntryIsZero) {
  table.at(5).value = 7;
  table.clear();
  EXPECT_EQ(table.find(5), nullptr);
  EXPECT_EQ(table.at(5).value, 0U);
  EXPECT_EQ(table.at(5).key, 5U);
}

TEST_F(RunTableTest, KeysWithTheSamePlaceAreApart) {
  table.at(3).value = 1;
  std::uint64_t other = 3 + 64;  // one of these stretches begins where the first does
  for (; other < 64 * 1000; other += 64) {
    ASSERT_EQ(table.find(other), nullptr);
    table.at(other).value = 2;
    ASSERT_EQ(table.at(3).value, 1U);
  }
}

TEST_F(RunTableTest, GrowingKeepsWhatIsThere) {
  for (std::uint64_t key = 0; key < 1000; ++key)
    table.at(key * 4099).value = static_cast<std::uint32_t>(key);
  EXPECT_EQ(table.size(), 1000U);
  for (std::uint64_t key = 0; key < 1000; ++key) {
    ASSERT_NE(table.find(key * 4099), nullptr);
    ASSERT_EQ(table.find(key * 4099)->value, key);
  }
}

TEST_F(RunTableTest, ASavepointTakesBackWhatWasMadeAndChanged) {
  table.at(1).value = 10;
  table.at(65).value = 20;
  ASSERT_TRUE(do_and_undo(save, [] {
    table.at(1).value = 11;
    for (std::uint64_t key = 2; key < 20; ++key) table.at(key * 64 + 1).value = 1;
  }));
  EXPECT_EQ(table.size(), 2U);
  EXPECT_EQ(table.at(1).value, 10U);
  EXPECT_EQ(table.at(65).value, 20U);
  for (std::uint64_t key = 2; key < 20; ++key) EXPECT_EQ(table.find(key * 64 + 1), nullptr);
}

// A savepoint would put entries back to where they are no longer.
TEST_F(RunTableTest, GrowingDropsSavepoints) {
  fake::ask(fake::world().request, {{0, 0}, {1, 0}});
  table.at(1).value = 10;
  fake::world().reply.event_count = 1;
  make_savepoint(save);
  ASSERT_TRUE(rewind_for_request());
  for (std::uint64_t key = 0; key < 100; ++key) table.at(key);
  EXPECT_FALSE(rewind_for_request());
}

}  // namespace
}  // namespace heddle::runtime
