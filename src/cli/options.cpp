#include "cli/options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <ranges>

#include "base/check.hpp"
#include "core/algorithm.hpp"
#include "fuzz/generate.hpp"
#include "interp/families.hpp"
#include "interp/random_program.hpp"
#include "native/exploration.hpp"
#include "report/kinds.hpp"
#include "runtime/wire.h"

namespace heddle::cli {
namespace {

using Names = std::vector<std::string_view>;

Names all_algorithms() {
  Names out;
  for (const Algorithm& a : algorithms()) out.push_back(a.name);
  return out;
}

Names native_algorithms() {
  Names out;
  for (const Algorithm& a : algorithms())
    if (!a.by_state) out.push_back(a.name);
  return out;
}

Names shapes() {
  Names out;
  for (const interp::Shape& s : interp::shapes()) out.push_back(s.name);
  for (const fuzz::Shape& s : fuzz::shapes())
    if (std::ranges::count(out, s.name) == 0) out.push_back(s.name);
  return out;
}

Names expectations() {
  Names out = {"verified", "finding", "vacuous"};
  for (const report::Kind& k : report::kinds())
    if (k.sort == report::Kind::Sort::finding) out.push_back(k.name);
  return out;
}

template <std::size_t n>
struct Text {
  constexpr Text(const char (&given)[n]) { std::ranges::copy(given, text); }
  char text[n];
};
template <Text... all>
Names either() {
  return {std::string_view(all.text)...};
}

using A = Arguments;

const Option table[] = {
    {"check run", "--algorithm", "NAME", &A::algorithm, "how schedules are chosen",
     native_algorithms},
    {"model", "--algorithm", "NAME", &A::algorithm, "how schedules are chosen", all_algorithms},
    {"fuzz", "--algorithm", "NAME,...", &A::algorithms, "only these; without it, all but none",
     all_algorithms},
    {"bench", "--algorithms", "NAME,...", &A::algorithms,
     "only these; without it, all that lose nothing, but none", all_algorithms},
    {"check run model", "--order", "ORDER", &A::order,
     "which branch goes first; random is for the algorithms optimal and observers",
     either<"leftmost", "random">},
    {"check run model", "--seed", "N", &A::seed, "of the random order"},
    {"fuzz", "--seed", "N", &A::seed, "another seed gives other programs"},
    {"check run compare model", "--executions", "N", &A::executions,
     "stop after so many runs, blocked ones included"},
    {"check run compare", "--time", "SECONDS", &A::time, "stop after so long"},
    {"bench", "--time", "SECONDS", &A::time,
     "stop each exploration after so long; without it, after 10"},
    {"check run compare", "--memory", "MB", &A::memory,
     "stop when heddle itself takes so much memory (not counting the program)"},
    {"check run", "--checkpoint", "FILE", &A::checkpoint,
     "where to write what is left to do, if the exploration is stopped; without it, that is done "
     "only if it is interrupted, and the file is NAME.checkpoint"},
    {"check run", "--checkpoint-every", "SECONDS", &A::checkpoint_every,
     "with --checkpoint: write it that often as well, for the case that heddle itself is killed"},
    {"check run", "--resume", "FILE", &A::resume,
     "go on with what a checkpoint has left to do, with its options and arguments"},
    {"check run", "--keep-going", "", &A::keep_going,
     "go on after a finding, and report each different one"},

    {"check run compare", "--races", "HOW", &A::races,
     "a data race is a finding; or racing accesses are steps, and their orders are explored",
     either<"report", "explore">},
    {"check run compare replay", "--suppress", "FILE,...", &A::suppress,
     "data races that are no findings: a file in the format of ThreadSanitizer, with lines such as "
     "race:FUNCTION. What they lead to is explored"},
    {"check run compare", "--timeouts", "HOW", &A::timeouts,
     "a wait runs into its time limit only when no thread can go on otherwise; or both are "
     "explored: the limit is reached at once, or never",
     either<"last-resort", "explore">},
    {"check run compare", "--main-exit", "HOW", &A::main_exit,
     "when main returns, other threads go on to their ends, or for 1000 steps, with a warning; or "
     "are stopped after 100 steps of the run, without",
     either<"go-on", "kill">},
    {"check run compare", "--isolate", "HOW", &A::isolate,
     "all runs in one process, whose memory is put back in between; or each in a process of its "
     "own, which is slow, for programs that cannot be put back",
     either<"none", "fork">},
    {"check run compare", "--savepoints", "WHEN", &A::savepoints,
     "runs that begin alike go on from a copy of the state where they part: where that saves time, "
     "or everywhere, or nowhere",
     either<"worthwhile", "always", "never">},
    {"check run compare", "--spurious-wakeups", "", &A::spurious_wakeups,
     "one wait of each thread on a condition variable, whichever, may also end by itself"},
    {"check run compare", "--nondet", "N,...", &A::nondet,
     "the values of the __VERIFIER_nondet_ functions, at most 64"},
    {"check run compare", "--max-steps", "N", &A::max_steps,
     "steps after which a run counts as endless", nullptr, 1, abi::max_steps},
    {"check run compare", "--waiting-rounds", "N", &A::waiting_rounds,
     "how often a loop in which a thread only waits goes round before the thread stops there; with "
     "2, data races of what such a loop reads before its last round are found too",
     nullptr, 1, native::Options::most_waiting_rounds},
    {"check run compare", "--repeat-every", "N", &A::repeat_every,
     "of N schedules, one is run a second time, from the very beginning: if it does something else "
     "then, the program is not deterministic",
     nullptr, 1, 1'000'000'000},
    {"check run compare", "--all-visible", "", &A::all_visible,
     "every plain access is a step: slow, to check heddle itself"},
    {"check", "-o,--output", "FILE", &A::output,
     "where the executable goes; without it, NAME.heddle in the current directory, where NAME is "
     "that of the first file without its suffix"},

    {"compare", "--model", "NAME", &A::model,
     "compare on a model program instead: a built-in one, or a file"},
    {"model", "--file", "FILE", &A::file, "read the program, instead of taking a built-in one"},
    {"model compare", "--size", "N", &A::size, "of a built-in model program that has sizes"},
    {"model", "--oracle", "", &A::oracle, "also visit all states, and compare the outcomes"},
    {"model", "--list", "", &A::list, "show the built-in model programs"},
    {"model", "--show", "", &A::show, "print the program as text, and do not run it"},
    {"fuzz", "--show", "", &A::show,
     "print the programs, as many as --programs says, and judge none"},
    {"run model", "--schedule", "TEXT", &A::schedule,
     "run this schedule only, and show its steps; @FILE reads it from a file"},

    {"bench", "--suite", "NAME", &A::suite,
     "which programs, if none are named: those of the papers, data structures, or those with which "
     "the cost of events, threads and races is measured",
     either<"papers", "structures", "scaling">},
    {"bench", "--smallest", "", &A::smallest, "only the smallest size of each program"},

    {"replay", "--verbose", "", &A::verbose, "leave nothing out, and show all stacks"},
    {"replay", "--gdb", "", &A::gdb,
     "then start gdb, which runs the program the same way (docs/gdb.md)"},

    {"fuzz", "--native", "", &A::native,
     "compiled programs: random ones in C and C++, explored by every algorithm and in every mode, "
     "which must come to the same outcomes"},
    {"fuzz", "--seconds", "N", &A::seconds, "how long"},
    {"fuzz", "--programs", "N", &A::programs, "stop after so many programs, if that is sooner"},
    {"fuzz", "--shape", "SHAPE", &A::shape,
     "programs of one shape only; without it, all shapes take turns. Compiled programs have others "
     "than model programs",
     shapes},

    {"check run replay compare explain model fuzz bench help", "--json", "", &A::json,
     "print the result as JSON (docs/json-schema.json describes it)"},
    {"check run", "--outcomes", "", &A::outcomes,
     "also list what came of the runs, as the program told heddle_outcome, and how many had it"},
    {"check run", "--junit", "FILE", &A::junit, "also write the result as JUnit XML"},
    {"check run", "--sarif", "FILE", &A::sarif, "also write the result as SARIF 2.1.0"},
    {"check run", "--expect", "WHAT", &A::expect,
     "this verdict, or a finding of this kind, is what should come out: the exit status is 0 if it "
     "does and 1 if not",
     expectations},

    {"bench", "--markdown", "", &A::markdown, "print the table as Markdown"},

    {"help", "--man", "", &A::man, "print the manual page"},
    {"help", "--markdown", "", &A::markdown,
     "print the reference of all commands (docs/reference.md)"},
    {"help", "--completion", "", &A::completion, "print the completion for bash"},
    {"", "-h,--help", "", &A::help, "show what the command takes"},
};

std::string allowed_numbers(const Option& option) {
  if (option.most != std::numeric_limits<std::uint64_t>::max())
    return fmt::format("a number from {} to {}", option.least, option.most);
  return fmt::format("a number from {} on", option.least);
}

template <typename Number>
bool read(const std::string& text, Number& to) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), to);
  return error == std::errc() && end == text.data() + text.size();
}

Misuse refuse(const Option& option, const std::string& takes, const std::string& given) {
  return Misuse(fmt::format("{} takes {}, not '{}'", option.long_name(), takes, given));
}

Names split(std::string_view text) {
  Names out;
  for (const auto part : std::views::split(text, ',')) out.emplace_back(part.begin(), part.end());
  return out;
}

std::string chosen(const Option& option, std::string_view given) {
  if (option.choices != nullptr && std::ranges::count(option.choices(), given) == 0)
    throw Misuse(fmt::format("{}: there is no '{}'; there are: {}", option.long_name(), given,
                             fmt::join(option.choices(), ", ")));
  return std::string(given);
}

// One for each type of value.
void set(std::string& to, const Option& option, const std::string& given) {
  if (given.empty()) throw Misuse(fmt::format("{} needs a value", option.long_name()));
  to = chosen(option, given);
}
void set(std::optional<std::string>& to, const Option&, const std::string& given) { to = given; }
void set(std::uint64_t& to, const Option& option, const std::string& given) {
  if (!read(given, to) || to < option.least || to > option.most)
    throw refuse(option, allowed_numbers(option), given);
}
void set(std::optional<std::uint64_t>& to, const Option& option, const std::string& given) {
  set(to.emplace(), option, given);
}
void set(double& to, const Option& option, const std::string& given) {
  if (!read(given, to) || !std::isfinite(to) || to <= 0)
    throw refuse(option, "a positive number", given);
}
void set(std::vector<std::string>& to, const Option& option, const std::string& given) {
  to.clear();
  for (const std::string_view one : split(given)) to.push_back(chosen(option, one));
}
void set(std::vector<std::int64_t>& to, const Option& option, const std::string& given) {
  to.clear();
  for (const std::string_view one : split(given))
    if (!read(std::string(one), to.emplace_back()))
      throw refuse(option, "numbers with commas between", given);
  if (to.size() > abi::max_nondet)
    throw refuse(option, fmt::format("at most {} numbers", abi::max_nondet), given);
}
void set(bool& to, const Option&, const std::string&) { to = true; }

std::string text_of(bool) { return ""; }
std::string text_of(const std::string& value) { return value; }
template <typename Value>
std::string text_of(const std::optional<Value>&) {
  return "";
}
std::string text_of(std::uint64_t value) { return value == 0 ? "" : fmt::format("{}", value); }
std::string text_of(double value) { return value == 0 ? "" : fmt::format("{}", value); }
template <typename Value>
std::string text_of(const std::vector<Value>& values) {
  return fmt::format("{}", fmt::join(values, ","));
}

}  // namespace

std::span<const Option> options() { return table; }

bool Option::belongs_to(std::string_view command) const {
  if (commands.empty()) return true;
  for (const auto word : std::views::split(commands, ' '))
    if (std::ranges::equal(word, command)) return true;
  return false;
}

std::string Option::default_text() const {
  const Arguments defaults;
  return std::visit([&](auto member) { return text_of(defaults.*member); }, target);
}

std::vector<const Option*> options_of(std::string_view command) {
  std::vector<const Option*> out;
  for (const Option& option : table)
    if (option.belongs_to(command)) out.push_back(&option);
  return out;
}

void assign(Arguments& to, const Option& option, const std::string& given) {
  std::visit([&](auto member) { set(to.*member, option, given); }, option.target);
}

}  // namespace heddle::cli
