// A command of the tool: one file each.
//
// Exit status, of every command: 0 all explored and nothing found; 1 a finding; 2 misuse; 3 stopped
// early by a limit, with no finding; 70 a bug of ours.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

namespace heddle::cli {

inline constexpr int exit_ok = 0, exit_finding = 1, exit_misuse = 2, exit_incomplete = 3,
                     exit_bug = 70;

// What the command does once its options are parsed; returns the exit status.
using Action = std::function<int()>;

struct Command {
  const char* name;
  const char* summary;
  // One of these: declares the options; or runs with the arguments as they are.
  Action (*set_up)(CLI::App& app) = nullptr;
  int (*run)(const std::vector<std::string>& arguments) = nullptr;
};

Action set_up_model(CLI::App& app);
Action set_up_fuzz(CLI::App& app);
Action set_up_run(CLI::App& app);
Action set_up_replay(CLI::App& app);
int run_cc(const std::vector<std::string>& arguments);
int run_cxx(const std::vector<std::string>& arguments);

inline constexpr Command commands[] = {
    {"run", "explore a program built with heddle cc or heddle c++", set_up_run},
    {"replay", "run a program again as it failed, and show how", set_up_replay},
    {"cc", "compile and link C for heddle run, with clang's options", nullptr, run_cc},
    {"c++", "the same for C++", nullptr, run_cxx},
    {"model", "explore a built-in model program, or one given as text", set_up_model},
    {"fuzz", "compare every algorithm with brute force on random programs", set_up_fuzz},
};

}  // namespace heddle::cli
