// The source beside a run, on an HTML page.
#pragma once

#include <string>

#include "report/page_run.hpp"

namespace heddle::report {

// The files that rows of the run name; of a large file, what is near the lines that they name.
// Empty if there is none that can be read.
std::string source_html(const PageRun& run, Sources& sources);

}  // namespace heddle::report
