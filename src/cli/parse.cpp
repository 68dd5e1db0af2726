#include "cli/parse.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "base/check.hpp"
#include "cli/options.hpp"
#include "core/algorithm.hpp"
#include "native/arguments.hpp"

namespace heddle::cli {
namespace {

using Strings = std::vector<std::string>;

// "--output", "--output=x"; for an option with a short form, also "-o" and "-ox".
bool is(const Option& option, const std::string& word) {
  const std::string_view name = option.long_name();
  if (word.starts_with(name)) return word.size() == name.size() || word[name.size()] == '=';
  const bool has_short = name.size() != option.name.size();
  return has_short && word.starts_with(option.name.substr(0, 2)) &&
         (word.size() == 2 || !option.is_flag());
}

// Moves the words that are not for heddle to the operands.
void take_compilers_words(const Command& command, Strings& words, Arguments& out) {
  const std::vector<const Option*> known = options_of(command.name);
  Strings own;
  for (std::size_t k = 0; k < words.size(); ++k) {
    const auto option =
        std::ranges::find_if(known, [&](const Option* o) { return is(*o, words[k]); });
    const bool ours = option != known.end();
    Strings& to = ours ? own : out.operands;
    to.push_back(words[k]);
    const bool takes_next =
        ours ? !(*option)->is_flag() && (words[k] == (*option)->long_name() || words[k].size() == 2)
             : native::takes_value(words[k]);
    if (takes_next && k + 1 < words.size()) to.push_back(words[++k]);
  }
  words = std::move(own);
}

// CLI11 implements the syntax of options: "--size 3", "--size=3", "-o3".
void parse_options(const Command& command, Strings words, Arguments& out) {
  CLI::App app;
  app.set_help_flag();
  Strings operands;
  if (command.words == Words::own) app.add_option("OPERAND", operands);
  for (const Option* option : options_of(command.name)) {
    const std::string name(option->name);
    if (option->is_flag()) {
      app.add_flag_callback(name, [&out, option] { option->read(out, *option, {}); });
    } else {
      app.add_option_function<std::string>(name,
                                           [&out, option](const std::string& given) {
                                             option->read(out, *option, parts_of(*option, given));
                                           })
          ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    }
  }
  std::ranges::reverse(words);  // as CLI11 expects them
  try {
    app.parse(std::move(words));
  } catch (const CLI::ParseError& error) {
    throw Misuse(fmt::format("{} (see heddle {} --help)", error.what(), command.name));
  }
  out.operands.insert(out.operands.end(), operands.begin(), operands.end());
}

void check_operands(const Command& command, const Arguments& arguments) {
  const std::size_t given = arguments.operands.size();
  if (given < command.least_operands)
    throw Misuse(fmt::format("heddle {} needs {} (see heddle {} --help)", command.name,
                             command.operands, command.name));
  if (given > command.most_operands)
    throw Misuse(fmt::format("heddle {} does not take '{}' (see heddle {} --help)", command.name,
                             arguments.operands[command.most_operands], command.name));
}

void check_algorithm(const Arguments& arguments) {
  if (arguments.algorithm == automatic) {  // both that it chooses from can do all of this
    if (!arguments.broker.empty())
      throw Misuse("'--broker' does not go with '--algorithm auto': give the algorithm");
    return;
  }
  const Algorithm* algorithm = find_algorithm(arguments.algorithm);
  if (arguments.exploration.explore.order == ExploreOptions::Pick::random && !algorithm->any_order)
    throw Misuse(fmt::format("'--order random' is for algorithms that can run in any order, not {}",
                             algorithm->name));
  if (!arguments.checkpoint.empty() && !algorithm->is_divisible())
    throw Misuse(
        fmt::format("'--checkpoint' does not go with '--algorithm {}': what it has explored cannot "
                    "be taken up again",
                    algorithm->name));
}

}  // namespace

Arguments parse(const Command& command, Strings words) {
  Arguments out;
  if (command.words == Words::verbatim) {
    out.operands = std::move(words);
    return out;
  }
  const auto end = std::ranges::find(words, "--");
  if (end != words.end()) {
    out.after_dashes.assign(end + 1, words.end());
    words.erase(end, words.end());
  }
  if (command.words == Words::compiler) take_compilers_words(command, words, out);
  parse_options(command, std::move(words), out);
  if (!out.help) check_operands(command, out);
  check_algorithm(out);
  return out;
}

}  // namespace heddle::cli
