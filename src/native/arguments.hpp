// Command lines of compilers, as far as the driver must understand them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heddle::native {

// The arguments with @FILE replaced by those in the file, as compilers do.
std::vector<std::string> expand_response_files(const std::vector<std::string>& arguments);

// Whether the word after this option is its value.
bool takes_value(std::string_view option);

struct Option {
  std::string text;
  bool is_value = false;  // of the option before it
};

// Tells options and inputs from values of options.
struct CommandLine {
  std::vector<Option> options;
  std::vector<std::string> inputs;  // those after "--"; the others are among the options

  explicit CommandLine(const std::vector<std::string>& arguments);

  bool has(const char* option) const;
  bool has_prefix(const char* prefix) const;
  std::vector<std::string> all_inputs() const;  // libraries too
};

// Whether the command links an executable or a library.
bool links(const CommandLine& line);

// Throws Misuse if heddle cannot do what the command line asks for.
void refuse_unsupported(const CommandLine& line);

}  // namespace heddle::native
