// Results as JUnit XML, as continuous integration shows them: the program is a test case.
#pragma once

#include <string>

#include "report/subject.hpp"

namespace heddle::report {

// Findings are failures. A verdict `incomplete` is an error: the program did not fail, and did not
// pass. If a result was expected, the test case fails if the actual one differs.
std::string to_junit(const Subject& subject, const native::Report& report);

}  // namespace heddle::report
