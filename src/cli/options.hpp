// The options of all commands: one table, from which the parser, the help, the manual page, the
// reference and the completion are made.
#pragma once

#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "cli/arguments.hpp"

namespace heddle::cli {

struct Option {
  using Target =
      std::variant<bool Arguments::*, std::string Arguments::*,
                   std::optional<std::string> Arguments::*, std::uint64_t Arguments::*,
                   std::optional<std::uint64_t> Arguments::*, double Arguments::*,
                   std::vector<std::string> Arguments::*, std::vector<std::int64_t> Arguments::*>;

  std::string_view commands;  // that take it, with spaces between; empty: all of them
  std::string_view name;      // "--output", or with a short form "-o,--output"
  std::string_view value;     // what it takes, as help shows it; empty: nothing
  Target target;
  std::string_view help;
  // The values there are, where it takes no others.
  std::vector<std::string_view> (*choices)() = nullptr;
  // Of a number.
  std::uint64_t least = 0, most = std::numeric_limits<std::uint64_t>::max();

  std::string_view long_name() const { return name.substr(name.find("--")); }
  bool belongs_to(std::string_view command) const;
  // What it is where it is not given; empty if that is nothing.
  std::string default_text() const;
};

std::span<const Option> options();
std::vector<const Option*> options_of(std::string_view command);

// Puts the value that was given for the option where it belongs; throws Misuse if it takes no such
// value.
void assign(Arguments& to, const Option& option, const std::string& given);

}  // namespace heddle::cli
