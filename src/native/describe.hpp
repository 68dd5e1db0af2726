// From what a worker reports about a run to a finding in terms of the source.
#pragma once

#include "base/check.hpp"
#include "findings/finding.hpp"
#include "native/explanation.hpp"
#include "native/symbols.hpp"

namespace heddle::native {

// REQUIRES: the run has a finding, and `symbols` is of the process that made it or of one like it.
findings::Finding describe(const Explanation& run, const Symbols& symbols);

// The trace of a run that found nothing.
findings::Trace trace_without_finding(const Explanation& run, const Symbols& symbols);

// The message for a run that does what heddle does not support.
Misuse unsupported(const Outcome& outcome, const Symbols& symbols);

}  // namespace heddle::native
