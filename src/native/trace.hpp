// The trace of a run (findings/trace.hpp), from what its worker reports.
#pragma once

#include <string>
#include <vector>

#include "findings/trace.hpp"
#include "native/names.hpp"

namespace heddle::native {

// `message` is that of the finding; empty if there is none.
findings::Trace trace_of(const Explanation& run, const Symbols& symbols, Names& names,
                         const std::string& message, const Place& place);

// Where these frames are, the innermost first.
std::vector<Place> places(const std::vector<abi::WireFrame>& frames, const Symbols& symbols);

}  // namespace heddle::native
