// What there is to say about an exploration beside its findings.
#pragma once

#include <string>
#include <vector>

#include "native/exploration.hpp"

namespace heddle::native {

std::vector<std::string> warnings_of(const Notes& notes, const Options& options, Worker& worker);

// Within which the verdict holds. `unseen` are functions, see native/unseen.hpp.
std::vector<std::string> limits_of(const Notes& noted, const Options& options,
                                   const std::vector<std::string>& unseen, Worker& worker);

// Of an exploration all of whose runs were given up: why, and where.
std::string what_held(const Notes& notes, Worker& worker);

}  // namespace heddle::native
