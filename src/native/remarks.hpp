// Warnings and limits: what a report says beside its findings.
#pragma once

#include <string>
#include <vector>

#include "native/exploration.hpp"

namespace heddle::native {

std::vector<std::string> warnings_of(const Notes& notes, const Options& options, Worker& worker);

// The limits within which the verdict holds. `unseen` are functions, see native/unseen.hpp.
std::vector<std::string> limits_of(const Notes& noted, const Options& options,
                                   const std::vector<std::string>& unseen, Worker& worker);

// For an exploration all of whose runs were blocked: why, and where.
std::string what_held(const Notes& notes, Worker& worker);

}  // namespace heddle::native
