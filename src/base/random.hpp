// A small deterministic generator: the same seed gives the same numbers on every machine, which
// std::uniform_int_distribution does not promise.
#pragma once

#include <cstdint>
#include <vector>

#include "base/check.hpp"

namespace heddle {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {  // splitmix64
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }

  // A number in [0, n). REQUIRES: n > 0.
  std::size_t below(std::size_t n) {
    HEDDLE_CHECK(n > 0);
    return static_cast<std::size_t>(next() % n);
  }

  // A number in [low, high].
  int between(int low, int high) {
    return low + static_cast<int>(below(static_cast<std::size_t>(high - low + 1)));
  }

  bool chance(double p) { return static_cast<double>(next() >> 11) * 0x1.0p-53 < p; }

  template <typename T>
  const T& pick(const std::vector<T>& from) {
    return from[below(from.size())];
  }

 private:
  std::uint64_t state_;
};

}  // namespace heddle
