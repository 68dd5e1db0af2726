// A trace as a table: one row for each step, one column for each thread, the source beside it.
#pragma once

#include <string>
#include <vector>

#include "report/fold.hpp"
#include "report/style.hpp"

namespace heddle::report {

// The lines, without line ends. If there is no room for columns, each row names its thread.
std::vector<std::string> table_of(const findings::Trace& trace, const std::vector<Shown>& rows,
                                  const Style& style, bool with_stacks);

}  // namespace heddle::report
