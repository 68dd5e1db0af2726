// How a finding comes about, in a few sentences that link to rows of the run.
#pragma once

#include <string>
#include <vector>

#include "findings/finding.hpp"
#include "report/page_run.hpp"

namespace heddle::report {

struct Story {
  std::string title;                   // what is wrong; text, not HTML
  std::vector<std::string> sentences;  // HTML
};

// Only what the trace and the message say: where no rule fits, there are no sentences but those of
// the message.
Story story_of(const findings::Finding& finding, const PageRun& run);

}  // namespace heddle::report
