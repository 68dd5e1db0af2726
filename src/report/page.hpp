// A result as an HTML page: one file that needs no other, and nothing from a network. Everything is
// there without the script, which only draws, selects, folds and filters.
#pragma once

#include <string>
#include <vector>

#include "native/progress.hpp"
#include "report/subject.hpp"

namespace heddle::report {

// What a page shows besides the result.
struct PageContext {
  std::vector<std::string> replay;         // the command that shows a finding again, of each
  std::vector<std::string> options;        // of the exploration, as on a command line
  std::vector<native::Progress> progress;  // samples, by time
};

std::string to_html(const Subject& subject, const native::Report& report,
                    const PageContext& context);
// One run.
std::string to_html(const Subject& subject, const native::Replay& run, const PageContext& context);

}  // namespace heddle::report
