#include "native/option_table.hpp"

#include <algorithm>
#include <cctype>

namespace heddle::native {
namespace {

constexpr auto runs = OptionInfo::Changes::runs;
constexpr auto exploration = OptionInfo::Changes::exploration;

// The commands that take the options below.
constexpr std::string_view explorers = "check run compare split";

constexpr std::uint64_t kb_per_mb = 1024;

using O = Options;

std::vector<Option<O>> exploring_options() {
  using Pick = ExploreOptions::Pick;
  return {
      choice<O>({.name = "--order",
                 .value = "ORDER",
                 .commands = "check run model",
                 .help = "which branch to explore next; random is for the algorithms optimal and "
                         "observers",
                 .changes = exploration},
                [](auto& o) -> auto& { return o.explore.order; },
                {{"leftmost", Pick::leftmost}, {"random", Pick::random}}),
      number<O>({.name = "--seed",
                 .value = "N",
                 .commands = "check run model",
                 .help = "seed for --order random",
                 .changes = exploration},
                [](auto& o) -> auto& { return o.explore.seed; }),
      number<O>({.name = "--executions",
                 .value = "N",
                 .commands = "check run compare model",
                 .help = "stop after N runs, including blocked ones"},
                [](auto& o) -> auto& { return o.explore.max_executions; }),
      seconds<O>({.name = "--time",
                  .value = "SECONDS",
                  .commands = explorers,
                  .help = "stop after this time"},
                 [](auto& o) -> auto& { return o.limits.seconds; }),
      number<O>(
          {.name = "--memory",
           .value = "MB",
           .commands = explorers,
           .help = "stop when heddle itself uses this much memory (the program under test is "
                   "not counted)"},
          [](auto& o) -> auto& { return o.limits.memory_kb; }, {0, 1'000'000'000}, kb_per_mb),
      number<O>(
          {.name = "--memory",
           .value = "MB",
           .commands = "model",
           .help = "with merging: forget states when they take this much memory; a run that comes "
                   "to one again explores it again"},
          [](auto& o) -> auto& { return o.explore.most_memory_kb; }, {0, 1'000'000'000}, kb_per_mb),
      seconds<O>({.name = "--checkpoint-every",
                  .value = "SECONDS",
                  .commands = "check run",
                  .help = "with --checkpoint: also write the checkpoint this often, in case heddle "
                          "itself is killed"},
                 &O::checkpoint_every),
      flag<O>(
          {.name = "--deterministic",
           .commands = "check run",
           .help = "report what one engine finds first, however many there are (-j): if several "
                   "find something, one looks for it from the beginning"},
          &O::deterministic),
      flag<O>({.name = "--keep-going",
               .commands = "check run split",
               .help = "continue after a finding, and report each distinct finding",
               .changes = exploration},
              &O::keep_going),
  };
}

std::vector<Option<O>> running_options() {
  return {
      choice<O>({.name = "--races",
                 .value = "HOW",
                 .commands = explorers,
                 .help = "what a data race is: a finding, or two accesses that are steps, both "
                         "orders of which are explored",
                 .changes = runs},
                &O::races, {{"report", abi::Races::report}, {"explore", abi::Races::explore}}),
      texts<O>({.name = "--suppress",
                .value = "FILE,...",
                .commands = "check run compare replay split",
                .help = "do not report the data races listed in this file, which has the format of "
                        "ThreadSanitizer's suppressions, with lines such as race:FUNCTION; what "
                        "they lead to is explored",
                .changes = runs},
               &O::suppress),
      choice<O>({.name = "--timeouts",
                 .value = "HOW",
                 .commands = explorers,
                 .help = "when a wait with a time limit times out: only if no thread can continue "
                         "otherwise; or both are explored, that it times out at once and never",
                 .changes = runs},
                &O::timeouts,
                {{"last-resort", abi::Timeouts::last_resort}, {"explore", abi::Timeouts::explore}}),
      flag<O>(
          {.name = "--spurious-wakeups",
           .commands = explorers,
           .help = "explore spurious wake-ups too: at most one for each thread, from any wait on "
                   "a condition variable",
           .changes = runs},
          &O::spurious_wakeups),
      choice<O>({.name = "--isolate",
                 .value = "HOW",
                 .commands = explorers,
                 .help = "all runs in one process, whose memory is restored between them; or each "
                         "in a process of its own: slow, for programs whose state cannot be "
                         "restored",
                 .changes = runs},
                &O::isolate, {{"none", false}, {"fork", true}}),
      choice<O>({.name = "--savepoints",
                 .value = "WHEN",
                 .commands = explorers,
                 .help = "where runs with a common beginning continue from a copy of the state: "
                         "where that saves time, everywhere or nowhere"},
                &O::savepoints,
                {{"worthwhile", abi::Savepoints::worthwhile},
                 {"always", abi::Savepoints::always},
                 {"never", abi::Savepoints::never}}),
      flag<O>({.name = "--all-visible",
               .commands = explorers,
               .help = "every plain access is a step: slow, to check heddle itself",
               .changes = runs},
              &O::all_visible),
      numbers<O>({.name = "--nondet",
                  .value = "N,...",
                  .commands = explorers,
                  .help = "the values of the __VERIFIER_nondet_ functions, at most 64",
                  .changes = runs},
                 &O::nondet, abi::max_nondet),
      number<O>({.name = "--max-steps",
                 .value = "N",
                 .commands = explorers,
                 .help = "cut off a run after N steps, as one that may never end",
                 .changes = runs},
                &O::max_steps, {1, abi::max_steps}),
      number<O>(
          {.name = "--waiting-rounds",
           .value = "N",
           .commands = explorers,
           .help = "how many rounds a thread makes of a loop in which it only waits, before "
                   "it is stopped there; with 2, data races of what the loop reads before its "
                   "last round are found too",
           .changes = runs},
          &O::waiting_rounds, {1, O::most_waiting_rounds}),
      number<O>(
          {.name = "--repeat-every",
           .value = "N",
           .commands = explorers,
           .help = "run every N-th schedule twice, the second time from the very beginning, to "
                   "detect that the program is not deterministic"},
          &O::repeat_every, {1, 1'000'000'000}),
      choice<O>({.name = "--main-exit",
                 .value = "HOW",
                 .commands = explorers,
                 .help = "threads that still run when main returns: they continue (go-on), with a "
                         "warning, until the run has 1000 steps; or are stopped as soon as it has "
                         "100 (kill), without a warning",
                 .changes = exploration},
                &O::kill_at_exit, {{"go-on", false}, {"kill", true}}),
  };
}

// Words have no spaces in them, and parts of lists no commas.
std::string escaped(const std::string& part) {
  std::string out;
  for (const char c : part)
    out += std::isspace(static_cast<unsigned char>(c)) != 0 || c == '%' || c == ','
               ? fmt::format("%{:02x}", static_cast<unsigned char>(c))
               : std::string(1, c);
  return out;
}

std::string unescaped(const std::string& word) {
  std::string out;
  for (std::size_t k = 0; k < word.size(); ++k) {
    unsigned code = 0;
    const char* from = word.data() + k + 1;
    const bool coded = word[k] == '%' && k + 2 < word.size() &&
                       std::from_chars(from, from + 2, code, 16).ptr == from + 2;
    out += coded ? static_cast<char>(code) : word[k];
    k += coded ? 2 : 0;
  }
  return out;
}

bool is_in(const OptionInfo& option, Scope scope) {
  return option.changes == runs || (option.changes == exploration && scope == Scope::exploration);
}

}  // namespace

std::span<const Option<Options>> option_table() {
  static const std::vector<Option<Options>> table = [] {
    std::vector<Option<Options>> all = exploring_options();
    std::ranges::move(running_options(), std::back_inserter(all));
    return all;
  }();
  return table;
}

std::vector<std::string> option_words(const Options& options, Scope scope) {
  std::vector<std::string> out;
  for (const Option<Options>& option : option_table()) {
    if (!is_in(option, scope) || option.is_default(options)) continue;
    Parts parts = option.write(options);
    std::ranges::transform(parts, parts.begin(), escaped);
    out.push_back(option.is_flag()
                      ? std::string(option.bare_name())
                      : fmt::format("{}={}", option.bare_name(), fmt::join(parts, ",")));
  }
  return out;
}

void read_option(const std::string& word, Options& to) {
  const std::size_t equals = word.find('=');
  const std::string name = word.substr(0, equals);
  const auto option = std::ranges::find_if(option_table(), [&](const Option<Options>& o) {
    return is_in(o, Scope::exploration) && o.bare_name() == name;
  });
  if (option == option_table().end()) throw Misuse(fmt::format("unknown option '{}'", name));
  if (option->is_flag() != (equals == std::string::npos))
    throw Misuse(fmt::format("'{}' {} a value", name, option->is_flag() ? "takes no" : "needs"));
  Parts parts = parts_of(*option, equals == std::string::npos ? "" : word.substr(equals + 1));
  std::ranges::transform(parts, parts.begin(), unescaped);
  option->read(to, *option, parts);
}

std::vector<std::string> command_line_of(const Options& options) {
  std::vector<std::string> out;
  for (const Option<Options>& option : option_table()) {
    if (option.changes != runs || option.is_default(options)) continue;
    out.emplace_back(option.long_name());
    if (!option.is_flag()) out.push_back(fmt::format("{}", fmt::join(option.write(options), ",")));
  }
  return out;
}

}  // namespace heddle::native
