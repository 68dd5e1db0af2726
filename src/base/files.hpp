// Files that are read and written as a whole.
#pragma once

#include <string>
#include <string_view>

namespace heddle {

// Throws Misuse if it cannot be read.
std::string read_file(const std::string& path);

// Puts the text into the file. Who looks at it sees what was there before or all of the text, never
// a part: where it cannot be written, nothing is left behind, and Misuse is thrown.
void write_file(const std::string& path, std::string_view text);

}  // namespace heddle
