// Stacks on an HTML page.
#pragma once

#include <string>
#include <vector>

#include "findings/place.hpp"
#include "report/json.hpp"

namespace heddle::report {

// The same for stacks that read the same.
std::string key_of(const std::vector<findings::Place>& stack);

// A list, the innermost frame first.
std::string stack_html(const std::vector<findings::Place>& stack);

// [function, place, whether it is of the system] of each frame.
Json stack_data(const std::vector<findings::Place>& stack);

}  // namespace heddle::report
