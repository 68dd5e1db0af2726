// From what a worker tells of a run to a finding in terms of the source.
#pragma once

#include "findings/finding.hpp"
#include "native/explanation.hpp"
#include "native/symbols.hpp"

namespace heddle::native {

// REQUIRES: the run has a finding, and `symbols` is of the process that made it or of one like it.
findings::Finding describe(const Explanation& run, const Symbols& symbols);

// The trace of a run that found nothing.
findings::Trace trace_without_finding(const Explanation& run, const Symbols& symbols);

}  // namespace heddle::native
