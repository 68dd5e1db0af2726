// Laying out text for a terminal.
#pragma once

#include <string>
#include <string_view>

namespace heddle::cli {

// The text wrapped into lines, each indented by `indent` spaces.
std::string wrapped(std::string_view text, std::size_t indent);

// Lines as they are, each indented by `indent` spaces.
std::string indented(std::string_view lines, std::size_t indent);

// "  name   text", with the text in a column of its own: below the name, if that is long.
std::string entry(std::string_view name, std::string_view text, std::size_t column);

}  // namespace heddle::cli
