// Findings and verdicts, for people.
#pragma once

#include <string>

#include "findings/finding.hpp"
#include "native/outcomes.hpp"
#include "report/style.hpp"

namespace heddle::report {

// The finding and its place, its trace, and the stacks. Verbose: nothing is left out.
std::string text_of(const findings::Finding& finding, const Style& style, bool verbose = false);

// All steps of a run that found nothing. Verbose: with their stacks.
std::string text_of(const findings::Trace& trace, const Style& style, bool verbose = false);

// A line for each outcome: the number of runs with it, its value, and what was found.
std::string text_of(const native::Outcomes& outcomes);

}  // namespace heddle::report
