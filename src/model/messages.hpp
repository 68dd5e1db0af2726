// Messages, and which of them a receive accepts: what `b` of an access to a mailbox stands for.
//
// Of model programs, it is a set of tags, as bits: the one that is sent, or those that are
// accepted. Compiled programs have as many tags as they like, and types; then it is the name of a
// list of patterns, and the first of Access::bits is set. The message is a list of one pattern,
// which fits nothing but it.
//
// A receive that asks the program whether it wants a message is said to judge it. What it would
// answer for a message that it has not seen is not known, so whatever fits its pattern counts as
// accepted, whether it is then taken or refused.
#pragma once

#include <cstdint>
#include <span>

#include "model/access.hpp"

namespace heddle {

struct Pattern {
  std::uint64_t kind = 0, tag = 0;
  bool any_kind = false, any_tag = false;
  bool judged = false;  // what fits may be refused

  friend bool operator==(const Pattern&, const Pattern&) = default;
};

// The name of this list, the same for the same one in all of the process.
std::uint64_t name_of(std::span<const Pattern> patterns);
// For an access that has the name of such a list in its `b`.
inline constexpr std::uint8_t has_patterns = 1;

// Whether the receive (of any mode) would take the message, or might.
bool accepts(const Access& receive, const Access& send);
// Whether it may refuse a message that fits.
bool judges(const Access& receive);

}  // namespace heddle
