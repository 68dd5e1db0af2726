// What a run does again and again that was cut off for its length.
#pragma once

#include <string>

#include "native/trace.hpp"

namespace heddle::native {

// Of the thread that went last: where it goes round, and what keeps its rounds from being taken for
// waiting. Nothing, if it does not repeat itself.
std::string what_repeats(const Trace& trace);

}  // namespace heddle::native
