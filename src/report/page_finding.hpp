// The parts of an HTML page that are about a finding or a run.
#pragma once

#include <string>

#include "findings/finding.hpp"
#include "report/source.hpp"

namespace heddle::report {

// The finding: what is wrong, how it comes about, the command that shows it again, and its run.
// `number` counts the findings of a page from 1.
std::string finding_html(std::size_t number, const findings::Finding& finding,
                         const std::string& replay, Sources& sources);

// A run that found nothing.
std::string run_html(const findings::Trace& trace, Sources& sources);

// A command with a button that copies it; empty without one.
std::string command_html(const std::string& title, const std::string& command);

}  // namespace heddle::report
