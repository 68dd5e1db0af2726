// Lists of a pool, against vectors.
#include "base/pool.hpp"

#include <gtest/gtest.h>

#include "base/random.hpp"

namespace heddle {
namespace {

template <typename T>
void expect_lists_like_vectors(std::uint64_t seed) {
  Random random(seed);
  Pool pool;
  std::vector<Pool::List<T>> lists(20);
  std::vector<std::vector<T>> vectors(lists.size());
  for (int n = 0; n < 20'000; ++n) {
    const std::size_t k = random.below(lists.size());
    std::vector<T>& vector = vectors[k];
    const auto value = static_cast<T>(random.next());
    if (random.chance(.01)) {
      pool.clear(lists[k]);
      vector.clear();
    } else if (random.chance(.01)) {
      vector.assign(random.below(3'000), value);
      pool.assign<T>(lists[k], vector);
    } else if (random.chance(.1)) {
      vector.resize(random.below(vector.size() + 1));
      pool.shorten(lists[k], vector.size());
    } else {
      const std::size_t where = random.below(vector.size() + 1);
      vector.insert(vector.begin() + static_cast<std::ptrdiff_t>(where), value);
      pool.insert(lists[k], where, value);
    }
    if (n % 50 != 0) continue;
    for (std::size_t i = 0; i < lists.size(); ++i)
      ASSERT_TRUE(std::ranges::equal(pool.of(lists[i]), vectors[i])) << seed;
  }
}

TEST(Pool, HasListsLikeVectors) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    expect_lists_like_vectors<std::uint32_t>(seed);
    expect_lists_like_vectors<std::uint64_t>(seed);
  }
}

// Longer than any chunk of memory that it takes at once.
TEST(Pool, HasLongLists) {
  Pool pool;
  Pool::List<std::uint32_t> list, other;
  for (std::uint32_t k = 0; k < 100'000; ++k) {
    pool.push_back(list, k);
    if (k % 1'000 == 0) pool.push_back(other, k);
  }
  for (std::uint32_t k = 0; k < 100'000; ++k) ASSERT_EQ(pool.of(list)[k], k);
  for (std::uint32_t k = 0; k < 100; ++k) ASSERT_EQ(pool.of(other)[k], k * 1'000);
}

}  // namespace
}  // namespace heddle
