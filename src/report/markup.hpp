// Foreign text in HTML: what comes from a program, its source, its arguments or the compiler is
// text there, and nothing else.
#pragma once

#include <string>
#include <string_view>

#include "report/json.hpp"

namespace heddle::report {

// The text with what cannot be seen, or changes how other characters are seen, written out:
// control, zero-width and bidirectional characters as "‹U+202E›", bytes that are not UTF-8 as
// "‹0xFF›". Tabs and ends of lines are kept.
std::string visible(std::string_view text);

// `visible`, for the content of an element or for an attribute in double quotes.
std::string escaped(std::string_view text);

// For the content of a script element, from which nothing can break out. Strings are not made
// `visible`.
std::string island(const Json& json);

}  // namespace heddle::report
