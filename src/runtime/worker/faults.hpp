// Faults of the program, and what else ends it: they become findings.
#pragma once

namespace heddle::runtime {

// Fatal signals, and exceptions that are not caught.
void catch_faults();

}  // namespace heddle::runtime
