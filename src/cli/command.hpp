// The commands of the tool: one file each, and one table of what there is to say about them.
#pragma once

#include <span>
#include <string_view>

#include "cli/arguments.hpp"

namespace heddle::cli {

// Exit statuses of all commands.
inline constexpr int exit_ok = 0, exit_finding = 1, exit_misuse = 2, exit_incomplete = 3,
                     exit_bug = 70;
struct ExitStatus {
  int status;
  std::string_view meaning;
};
inline constexpr ExitStatus exit_statuses[] = {
    {exit_ok, "everything was explored, and nothing was found"},
    {exit_finding, "a finding: something is wrong with the program"},
    {exit_misuse,
     "misuse: a wrong option, a program that does not compile, was not built with heddle or uses "
     "what is not supported, or output that cannot be written; one line on stderr says what"},
    {exit_incomplete,
     "a limit was reached before everything was explored, or no run was complete (vacuous), and "
     "nothing was found"},
    {exit_bug, "a bug in heddle: please report it"},
};

// How a command interprets the words after its name.
enum class Words : std::uint8_t {
  own,       // its options, operands, and after "--" the arguments of a program
  compiler,  // the same, but what is not in the table is for the compiler
  verbatim,  // operands, whatever they look like
};

struct Example {
  std::string_view command, what;
};

struct Command {
  std::string_view name;
  std::string_view operands;  // as help shows them
  std::string_view summary;   // a line
  std::string_view description;
  std::span<const Example> examples;
  int (*run)(const Arguments& arguments);  // returns the exit status
  std::size_t least_operands = 0, most_operands = 0;
  Words words = Words::own;
};

std::span<const Command> commands();
// Null if there is none of this name.
const Command* find_command(std::string_view name);

int run_check(const Arguments& arguments);
int run_run(const Arguments& arguments);
int run_split(const Arguments& arguments);
int run_merge(const Arguments& arguments);
int run_worker(const Arguments& arguments);
int run_attach(const Arguments& arguments);
int run_replay(const Arguments& arguments);
int run_compare(const Arguments& arguments);
int run_explain(const Arguments& arguments);
int run_cc(const Arguments& arguments);
int run_cxx(const Arguments& arguments);
int run_model(const Arguments& arguments);
int run_fuzz(const Arguments& arguments);
int run_fuzz_native(const Arguments& arguments);
int run_bench(const Arguments& arguments);
int run_help(const Arguments& arguments);

}  // namespace heddle::cli
