// Data races of one run, by their definition: who knows of which plain accesses
// (model/stretch.hpp).
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "model/stretch.hpp"

namespace heddle::interp {

// The different accesses of a program, by number.
class Accesses {
 public:
  std::size_t number_of(const PlainAccess& access) {
    const auto [at, is_new] = numbers_.emplace(access, all_.size());
    if (is_new) all_.push_back(access);
    return at->second;
  }
  const PlainAccess& operator[](std::size_t n) const { return all_[n]; }

 private:
  std::map<PlainAccess, std::size_t> numbers_;
  std::vector<PlainAccess> all_;
};

// Of accesses that are made several times, what counts is whether the last time is known: then
// those before it are.
class Knowledge {
 public:
  // The accesses are those of all runs.
  void apply(const Act& act, Accesses& accesses);

  // Each pair that has raced, sorted.
  std::span<const RacingPair> races() const { return races_; }
  // All that further races depend on.
  void describe(std::vector<std::int64_t>& out) const;

 private:
  using Bits = std::vector<bool>;

  Bits& known_to(Name name);
  void access(const PlainAccess& what, Accesses& accesses);

  std::vector<Bits> known_;  // by name: accesses, by number
  Bits made_;
  std::vector<RacingPair> races_;
};

}  // namespace heddle::interp
