// From source files to a program that can be explored, in one go.
#pragma once

#include <string>
#include <vector>

namespace heddle::native {

// Whether the file is an executable, and not an object or a library to be linked.
bool is_executable(const std::string& file);

// The name of a program made of these words: that of the first input, without its suffix.
std::string program_name(const std::vector<std::string>& words);

// Compiles and links. The words are files (C and C++ as their suffixes say, objects, libraries) and
// options, as a user would give them to clang; `output` is the executable to make. The compiler's
// messages go to stderr. Throws Misuse if that fails.
void build(const std::vector<std::string>& words, const std::string& output);

}  // namespace heddle::native
