#include "report/option_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>
#include <ranges>
#include <string_view>

#include "base/check.hpp"

namespace heddle::report {
namespace {

using native::Options;
using Value = std::optional<std::string>;  // empty of a flag; none: as it is by default

struct Row {
  std::string_view name;  // of the option, without dashes
  Scope scope;
  Value (*get)(const Options&);
  void (*set)(Options&, const std::string& value);
};

Misuse no_such_option() { return Misuse("there is no such option"); }

template <typename Number>
Number number(std::string_view text, const char* what) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    throw Misuse(fmt::format("expected {}", what));
  return value;
}

// An option with two values, the other of which is the default.
template <auto member, auto other>
Value get_choice(const Options& o, const char* name) {
  return o.*member == other ? Value(name) : std::nullopt;
}
template <auto member, auto other>
void set_choice(Options& o, const std::string& value, std::string_view name) {
  if (value != name) throw no_such_option();
  o.*member = other;
}

template <bool Options::*member>
constexpr Row flag(std::string_view name, Scope scope) {
  return {name, scope, [](const Options& o) { return o.*member ? Value("") : std::nullopt; },
          [](Options& o, const std::string& value) {
            if (!value.empty()) throw no_such_option();
            o.*member = true;
          }};
}

Value get_nondet(const Options& o) {
  if (o.nondet == Options().nondet) return std::nullopt;
  return fmt::format("{}", fmt::join(o.nondet, ","));
}
void set_nondet(Options& o, const std::string& value) {
  o.nondet.clear();
  for (const auto word : std::views::split(value, ','))
    o.nondet.push_back(
        number<std::int64_t>(std::string_view(word.begin(), word.end()), "a list of numbers"));
  if (o.nondet.empty() || o.nondet.size() > abi::max_nondet)
    throw Misuse(fmt::format("expected 1 to {} numbers", abi::max_nondet));
}

Value get_max_steps(const Options& o) {
  return o.max_steps == Options().max_steps ? std::nullopt : Value(std::to_string(o.max_steps));
}
void set_max_steps(Options& o, const std::string& value) {
  o.max_steps = number<std::uint32_t>(value, "a number of steps");
  if (o.max_steps == 0 || o.max_steps > abi::max_steps) throw Misuse("no run takes so many steps");
}

Value get_waiting_rounds(const Options& o) {
  return o.waiting_rounds == Options().waiting_rounds ? std::nullopt
                                                      : Value(std::to_string(o.waiting_rounds));
}
void set_waiting_rounds(Options& o, const std::string& value) {
  o.waiting_rounds = number<std::uint32_t>(value, "a number of rounds");
  if (o.waiting_rounds == 0 || o.waiting_rounds > Options::most_waiting_rounds)
    throw Misuse("no loop goes round so often");
}

// Words have no spaces and no commas in them.
std::string without_spaces(const std::string& name) {
  std::string out;
  for (const char c : name)
    out += std::isspace(static_cast<unsigned char>(c)) != 0 || c == '%' || c == ','
               ? fmt::format("%{:02x}", static_cast<unsigned char>(c))
               : std::string(1, c);
  return out;
}
std::string with_spaces(const std::string& word) {
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

Value get_suppress(const Options& o) {
  if (o.suppress.empty()) return std::nullopt;
  std::vector<std::string> words;
  for (const std::string& file : o.suppress) words.push_back(without_spaces(file));
  return fmt::format("{}", fmt::join(words, ","));
}
void set_suppress(Options& o, const std::string& value) {
  o.suppress.clear();
  for (const auto word : std::views::split(value, ','))
    o.suppress.push_back(with_spaces(std::string(word.begin(), word.end())));
}

constexpr auto random_order = ExploreOptions::Pick::random;

constexpr Row table[] = {
    {"races", Scope::runs,
     [](const Options& o) {
       return get_choice<&Options::races, abi::Races::explore>(o, "explore");
     },
     [](Options& o, const std::string& value) {
       set_choice<&Options::races, abi::Races::explore>(o, value, "explore");
     }},
    {"suppress", Scope::runs, get_suppress, set_suppress},
    {"timeouts", Scope::runs,
     [](const Options& o) {
       return get_choice<&Options::timeouts, abi::Timeouts::explore>(o, "explore");
     },
     [](Options& o, const std::string& value) {
       set_choice<&Options::timeouts, abi::Timeouts::explore>(o, value, "explore");
     }},
    flag<&Options::spurious_wakeups>("spurious-wakeups", Scope::runs),
    {"isolate", Scope::runs,
     [](const Options& o) { return get_choice<&Options::isolate, true>(o, "fork"); },
     [](Options& o, const std::string& value) {
       set_choice<&Options::isolate, true>(o, value, "fork");
     }},
    flag<&Options::all_visible>("all-visible", Scope::runs),
    {"nondet", Scope::runs, get_nondet, set_nondet},
    {"max-steps", Scope::runs, get_max_steps, set_max_steps},
    {"waiting-rounds", Scope::runs, get_waiting_rounds, set_waiting_rounds},
    {"main-exit", Scope::exploration,
     [](const Options& o) { return get_choice<&Options::kill_at_exit, true>(o, "kill"); },
     [](Options& o, const std::string& value) {
       set_choice<&Options::kill_at_exit, true>(o, value, "kill");
     }},
    flag<&Options::keep_going>("keep-going", Scope::exploration),
    {"order", Scope::exploration,
     [](const Options& o) {
       return o.explore.order == random_order ? Value("random") : std::nullopt;
     },
     [](Options& o, const std::string& value) {
       if (value != "random") throw no_such_option();
       o.explore.order = random_order;
     }},
    {"seed", Scope::exploration,
     [](const Options& o) {
       return o.explore.seed == Options().explore.seed ? std::nullopt
                                                       : Value(std::to_string(o.explore.seed));
     },
     [](Options& o, const std::string& value) {
       o.explore.seed = number<std::uint64_t>(value, "a seed");
     }},
};

}  // namespace

std::vector<std::string> option_words(const Options& options, Scope scope) {
  std::vector<std::string> out;
  for (const Row& row : table)
    if (row.scope == Scope::runs || scope == Scope::exploration)
      if (const Value value = row.get(options))
        out.push_back(value->empty() ? std::string(row.name)
                                     : fmt::format("{}={}", row.name, *value));
  return out;
}

void read_option(const std::string& word, Options& to) {
  const std::size_t equals = word.find('=');
  const auto row = std::ranges::find(table, std::string_view(word).substr(0, equals), &Row::name);
  if (row == std::end(table)) throw no_such_option();
  row->set(to, equals == std::string::npos ? "" : word.substr(equals + 1));
}

std::string command_line_options(const Options& options) {
  std::string out;
  for (const std::string& word : option_words(options, Scope::runs)) out += " --" + word;
  return out;
}

}  // namespace heddle::report
