// What functions like printf do to memory.
#pragma once

#include <cstdarg>
#include <cstdint>

namespace heddle::runtime {

// The arguments after a format, each in a word, wide numbers in two at an even place; as a va_list
// that has no registers left.
struct ListOfWords {
  explicit ListOfWords(const std::uint64_t* words);
  va_list list;
};

// Reports the format, and what it makes the function read and write through its arguments.
void tell_format(const char* format, va_list arguments);

// How many bytes it produces, with the end of the string.
std::uint64_t formatted_size(const char* format, va_list arguments);

}  // namespace heddle::runtime
