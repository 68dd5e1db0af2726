// Results as SARIF 2.1.0, as code scanning shows them beside the source.
#pragma once

#include "report/json.hpp"
#include "report/subject.hpp"

namespace heddle::report {

// Each kind of finding is a rule, each finding a result. Warnings and the limits of the verdict are
// notifications of the run.
Json to_sarif(const Subject& subject, const native::Report& report);

}  // namespace heddle::report
