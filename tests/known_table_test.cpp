#include "native/known_table.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <vector>

namespace heddle::native {
namespace {

// As a worker looks them up.
class KnownTableTest : public testing::Test {
 protected:
  KnownTableTest() : file_(memfd_create("known", 0)) {}
  ~KnownTableTest() override { close(file_); }

  bool has(std::uint64_t key) const {
    const std::uint32_t bits = shared_.bits;
    if (bits == 0) return false;
    std::vector<std::uint64_t> slots(abi::known_slots(bits));
    const auto bytes = static_cast<ssize_t>(abi::known_bytes(bits));
    EXPECT_EQ(
        pread(file_, slots.data(), abi::known_bytes(bits), static_cast<off_t>(abi::known_at(bits))),
        bytes);
    const std::uint64_t mask = slots.size() - 1;
    for (std::uint64_t k = key & mask;; k = (k + 1) & mask) {
      if (slots[k] == key) return true;
      if (slots[k] == 0) return false;
    }
  }

  int file_;
  abi::KnownTable shared_{};
};

TEST_F(KnownTableTest, HasWhatWasAdded) {
  KnownTable table;
  table.attach(file_, shared_);
  EXPECT_FALSE(has(17));
  table.add(17);
  table.add(17 + abi::known_slots(abi::first_known_bits));  // the same slot
  table.add(0);
  EXPECT_TRUE(has(17));
  EXPECT_TRUE(has(17 + abi::known_slots(abi::first_known_bits)));
  EXPECT_FALSE(has(18 + abi::known_slots(abi::first_known_bits)));
}

TEST_F(KnownTableTest, GrowsAndKeepsAll) {
  KnownTable table;
  table.attach(file_, shared_);
  const std::uint64_t many = 3 * abi::known_slots(abi::first_known_bits);
  for (std::uint64_t k = 1; k <= many; ++k) table.add(k * 0x9e3779b97f4a7c15ULL);
  EXPECT_GT(shared_.bits, abi::first_known_bits);
  for (std::uint64_t k = 1; k <= many; k += 500) EXPECT_TRUE(has(k * 0x9e3779b97f4a7c15ULL));
  EXPECT_FALSE(has(5));
}

TEST_F(KnownTableTest, ForgetsAll) {
  KnownTable table;
  table.attach(file_, shared_);
  table.add(17);
  table.clear();
  EXPECT_FALSE(has(17));
}

TEST_F(KnownTableTest, MovesToAnotherChannel) {
  KnownTable table;
  table.attach(file_, shared_);
  table.add(17);
  abi::KnownTable other{};
  int second = memfd_create("known", 0);
  table.attach(second, other);
  std::swap(file_, second);
  EXPECT_EQ(other.bits, abi::first_known_bits);
  EXPECT_TRUE(has(17));
  table.detach();
  close(second);
}

}  // namespace
}  // namespace heddle::native
