#include <algorithm>
#include <limits>

#include "cli/command.hpp"

namespace heddle::cli {
namespace {

constexpr std::size_t any_number = std::numeric_limits<std::size_t>::max();

constexpr Example check_examples[] = {
    {"heddle check account.c", "compile one file, and explore it"},
    {"heddle check -std=c++20 -Iinclude queue.cpp test.cpp -- 2 3",
     "several files, with options of the compiler and arguments of the program"},
    {"heddle check queue.cpp --junit result.xml --sarif result.sarif", "in continuous integration"},
};
constexpr Example run_examples[] = {
    {"heddle run ./account", "explore an executable"},
    {"heddle run ./queue_test -- --gtest_filter=Queue.PushPop", "with arguments of its own"},
    {"heddle run ./account --schedule 'heddle-schedule 1: 0 0 1 2'", "run one schedule again"},
};
constexpr Example split_examples[] = {
    {"heddle split ./queue -n 64 > cubes.jsonl", "64 parts, each a line"},
    {"heddle run ./queue --cube cubes.jsonl:7 --json > result-7.json", "explore the seventh"},
};
constexpr Example merge_examples[] = {
    {"heddle merge result-*.json", "one report of all parts"},
};
constexpr Example worker_examples[] = {
    {"heddle worker rediss://heddle-worker@broker.example --program ./queue_test",
     "work for the job that explores this program"},
    {"heddle worker unix:///run/redis.sock --program ./account --stay -j 4",
     "with four engines, for one job after the other"},
};
constexpr Example attach_examples[] = {
    {"heddle attach 3f9a --broker rediss://heddle-worker@broker.example", "how a job is"},
};
constexpr Example replay_examples[] = {
    {"heddle replay ./account", "show again what account.failure has"},
    {"heddle replay ./account account.failure --gdb", "and look at it in the debugger"},
};
constexpr Example compare_examples[] = {
    {"heddle compare account.c", "what each algorithm needs for a program"},
    {"heddle compare --model lastzero --size 8", "the same for a model program"},
};
constexpr Example explain_examples[] = {
    {"heddle explain", "list what can be explained"},
    {"heddle explain data-race", "what a data race is, and what to do about it"},
};
constexpr Example cc_examples[] = {
    {"heddle cc -Iinclude account.c -o account", "build a program for heddle run"},
    {"make CC='heddle cc'", "in a build system"},
};
constexpr Example cxx_examples[] = {
    {"heddle c++ -std=c++20 queue.cpp -o queue", "build a program for heddle run"},
    {"CXX='heddle c++' cmake -B build-heddle", "in a build system"},
};
constexpr Example model_examples[] = {
    {"heddle model lastzero --size 11", "explore a built-in program"},
    {"heddle model --file examples/model/lost-wake-up.txt", "explore one that is given as text"},
};
constexpr Example fuzz_examples[] = {
    {"heddle fuzz --seconds 10", "look for a bug in heddle"},
    {"heddle fuzz --shape locks --algorithm optimal,observers", "in one place"},
};
constexpr Example bench_examples[] = {
    {"heddle bench --smallest", "try each program of the papers at its smallest size"},
    {"heddle bench pi boundedbuffer --algorithms optimal,merging --time 60",
     "two of them, with two algorithms and more time"},
    {"heddle bench --suite structures --json", "concurrent data structures, for tools"},
};
constexpr Example help_examples[] = {
    {"heddle help check", "what heddle check takes"},
    {"heddle help --completion > ~/.local/share/bash-completion/completions/heddle",
     "have bash complete commands and options"},
};

constexpr Command table[] = {
    {"check", "FILE... [COMPILER'S OPTIONS] [-- ARGUMENT...]",
     "compile C and C++ files, and explore the program",
     "The files are compiled as heddle cc and heddle c++ would, each as its suffix says, linked, "
     "and explored. Objects and libraries can be among them. What is not listed here is for the "
     "compiler: -I, -D, -std=, -O, -W, -f, -l, -L and so on; where there are C and C++ files, "
     "-std= is for those of its language. The executable is kept, so that what is found can be run "
     "again.",
     check_examples, run_check, 1, any_number, Words::compiler},
    {"run", "PROGRAM [-- ARGUMENT...]", "explore a program built with heddle cc or heddle c++",
     "The program is run again and again, with another schedule each time, until every behaviour "
     "has been seen or something is found. It reads nothing from standard input, and what it "
     "prints is not shown.",
     run_examples, run_run, 1, any_number},
    {"split", "PROGRAM [-- ARGUMENT...]", "split an exploration into parts, for several machines",
     "Prints a line for each part, which heddle run --cube explores: elsewhere, at another time, "
     "again "
     "if need be. Each behaviour of the program is in exactly one part. heddle merge makes one "
     "report "
     "of their results (docs/parallel.md).",
     split_examples, run_split, 1, any_number},
    {"merge", "RESULT...", "one report of the results of all parts",
     "Each file is what heddle run --cube --json printed for one part. All have to be there, once "
     "each, for the same program and options.",
     merge_examples, run_merge, 1, any_number},
    {"worker", "URL [-- ARGUMENT...]", "explore parts of what heddle run --broker explores",
     "Waits for a job that is about this very program with these arguments, checks that the "
     "program "
     "behaves as it does where the job was created, and explores parts of it until the job has "
     "ended. Nothing that the broker has is executed or opened.",
     worker_examples, run_worker, 1, 1},
    {"attach", "JOB", "show how a job of a broker is",
     "Also when the process that created it is gone: then this tells whether all of it was "
     "explored, and what was found.",
     attach_examples, run_attach, 1, 1},
    {"replay", "PROGRAM [FAILURE]", "run a program again as it failed, and show how",
     "The failure file is what heddle check or heddle run wrote when it found something; without "
     "one, it is NAME.failure in the current directory, where NAME is that of the program.",
     replay_examples, run_replay, 1, 2},
    {"compare", "FILE... [COMPILER'S OPTIONS] | PROGRAM [-- ARGUMENT...]",
     "explore one program with every algorithm that loses nothing",
     "Each explores the whole program, findings or not, so that the numbers can be compared. They "
     "must come to the same verdict: if they do not, that is a bug in heddle.",
     compare_examples, run_compare, 0, any_number, Words::compiler},
    {"explain", "[NAME]", "what a finding, a warning or a limit means, and what to do",
     "Without a name, lists what can be explained.", explain_examples, run_explain, 0, 1},
    {"cc", "[CLANG'S OPTIONS]", "compile and link C, for heddle run",
     "clang 19 with heddle's pass and runtime, and with its own options.", cc_examples, run_cc, 0,
     any_number, Words::verbatim},
    {"c++", "[CLANG'S OPTIONS]", "the same for C++",
     "clang++ 19 with heddle's pass and runtime, and with its own options.", cxx_examples, run_cxx,
     0, any_number, Words::verbatim},
    {"model", "[NAME]", "explore a built-in model program, or one given as text",
     "Model programs are small programs with threads, shared variables, locks, condition "
     "variables, semaphores, barriers and messages, in a language of their own "
     "(docs/model-programs.md).",
     model_examples, run_model, 0, 1},
    {"fuzz", "", "compare every algorithm with brute force on random programs",
     "Of model programs, or with --native of programs in C and C++, which are compiled. Stops at "
     "the first failure of an algorithm that promises something, or where two ways to explore a "
     "program come to different outcomes, and prints the program, made as small as it can be.",
     fuzz_examples, run_fuzz},
    {"bench", "[PROGRAM...]", "measure the algorithms on the programs of the papers, and others",
     "Each program is explored at several sizes, with several algorithms: with optimal and "
     "observers "
     "as a compiled program, with the others as the model program of the same traces. The numbers "
     "of executions are compared with those that the papers report; where another is known to come "
     "out here, a note says why, and a difference that is not known is a finding. When an "
     "algorithm takes too long, larger sizes are not tried.",
     bench_examples, run_bench, 0, any_number},
    {"help", "[COMMAND]", "show what a command takes",
     "Without a command, lists the commands and the exit statuses.", help_examples, run_help, 0, 1},
};

}  // namespace

std::span<const Command> commands() { return table; }

const Command* find_command(std::string_view name) {
  const auto found = std::ranges::find(table, name, &Command::name);
  return found == std::end(table) ? nullptr : &*found;
}

}  // namespace heddle::cli
