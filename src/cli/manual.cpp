#include "cli/manual.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/version.hpp"
#include "cli/options.hpp"
#include "cli/text.hpp"

namespace heddle::cli {
namespace {

constexpr std::string_view about =
    "Heddle explores every schedule of a concurrent program that matters.";

std::string usage(const Command& command) {
  const std::string operands = command.operands.empty() ? "" : " " + std::string(command.operands);
  return command.words == Words::verbatim
             ? fmt::format("heddle {}{}", command.name, operands)
             : fmt::format("heddle {} [OPTION...]{}", command.name, operands);
}

// "-o, --output FILE"
std::string shown(const Option& option) {
  std::string name(option.name);
  if (const std::size_t comma = name.find(','); comma != std::string::npos)
    name.insert(comma + 1, " ");
  return option.value.empty() ? name : fmt::format("{} {}", name, option.value);
}

std::string explained(const Option& option) {
  std::string out(option.help);
  if (option.choices) out += fmt::format("; one of: {}", fmt::join(option.choices(), ", "));
  if (const std::string value = option.default_text(); !value.empty())
    out += fmt::format(" (default: {})", value);
  return out;
}

std::string in_code(std::string_view text) { return fmt::format("`{}`", text); }

std::string for_a_cell(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2)
    text.insert(at, "\\");
  return text;
}

// For troff: dashes that can be copied, and nothing that it takes for a request.
std::string troff(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '-')
      out += "\\-";
    else if (c == '\\')
      out += "\\e";
    else
      out += c;
  }
  return out.starts_with('.') || out.starts_with('\'') ? "\\&" + out : out;
}

// The shell splits the choices at spaces: if one contains a space, none are offered.
std::vector<std::string_view> one_word_values(const Option& option) {
  if (!option.choices) return {};
  std::vector<std::string_view> values = option.choices();
  const auto has_space = [](std::string_view v) { return v.find(' ') != std::string_view::npos; };
  return std::ranges::any_of(values, has_space) ? std::vector<std::string_view>() : values;
}

}  // namespace

std::string overview() {
  std::string out = fmt::format("{}\n\nusage: heddle COMMAND ...\n\ncommands:\n", about);
  for (const Command& command : commands()) out += entry(command.name, command.summary, 12);
  out += "\nexit status:\n";
  for (const ExitStatus& e : exit_statuses) out += entry(fmt::format("{}", e.status), e.meaning, 8);
  return out +
         "\n'heddle help COMMAND' shows what a command takes, 'heddle --version' the version.\n";
}

std::string help(const Command& command) {
  std::string out = fmt::format("heddle {}: {}\n\nusage: {}\n\n{}", command.name, command.summary,
                                usage(command), wrapped(command.description, 0));
  if (command.words != Words::verbatim) {
    out += "\noptions:\n";
    for (const Option* option : options_of(command.name))
      out += entry(shown(*option), explained(*option), 24);
  }
  out += "\nexamples:\n";
  for (const Example& e : command.examples) out += fmt::format("  # {}\n  {}\n", e.what, e.command);
  return out + "\nThe exit statuses are those of 'heddle help'.\n";
}

std::string markdown_reference() {
  std::string out =
      "# Commands and options\n\n"
      "This file is printed by `heddle help --markdown`, from the table that the command line is\n"
      "parsed by. The same is in the manual page, `man heddle`, and in `heddle help COMMAND`.\n\n"
      "## Exit status\n\nOf every command:\n\n| status | what |\n| --- | --- |\n";
  for (const ExitStatus& e : exit_statuses)
    out += fmt::format("| {} | {} |\n", e.status, e.meaning);
  for (const Command& command : commands()) {
    out += fmt::format("\n## heddle {}\n\n{}: {}.\n\n{}", command.name, in_code(usage(command)),
                       command.summary, wrapped(command.description, 0));
    if (command.words != Words::verbatim) {
      out += "\n| option | what |\n| --- | --- |\n";
      for (const Option* option : options_of(command.name))
        out +=
            fmt::format("| {} | {} |\n", in_code(shown(*option)), for_a_cell(explained(*option)));
    }
    out += "\n```sh\n";
    for (const Example& e : command.examples) out += fmt::format("# {}\n{}\n", e.what, e.command);
    out += "```\n";
  }
  return out;
}

std::string manual_page() {
  std::string out = fmt::format(
      ".TH HEDDLE 1 \"\" \"heddle {}\" \"User Commands\"\n"
      ".SH NAME\nheddle \\- explore every schedule of a concurrent program that matters\n"
      ".SH SYNOPSIS\n.nf\n",
      version);
  for (const Command& command : commands()) out += troff(usage(command)) + "\n";
  out += ".fi\n.SH COMMANDS\n";
  for (const Command& command : commands()) {
    out += fmt::format(".SS \"heddle {}\"\n{}.\n.PP\n{}\n", troff(command.name),
                       troff(command.summary), troff(command.description));
    if (command.words != Words::verbatim)
      for (const Option* option : options_of(command.name))
        out += fmt::format(".TP\n.B {}\n{}\n", troff(shown(*option)), troff(explained(*option)));
    out += ".PP\nExamples:\n";
    for (const Example& e : command.examples)
      out += fmt::format(".TP\n{}\n.nf\n{}\n.fi\n", troff(e.what), troff(e.command));
  }
  out += ".SH EXIT STATUS\n";
  for (const ExitStatus& e : exit_statuses)
    out += fmt::format(".TP\n.B {}\n{}\n", e.status, troff(e.meaning));
  return out;
}

std::string bash_completion() {
  std::string names, cases;
  for (const Command& command : commands()) {
    names += (names.empty() ? "" : " ") + std::string(command.name);
    if (command.words == Words::verbatim) continue;
    std::string words;
    for (const Option* option : options_of(command.name)) {
      words += (words.empty() ? "" : " ") + std::string(option->long_name());
      const std::vector<std::string_view> values = one_word_values(*option);
      if (values.empty()) continue;
      cases += fmt::format(
          "    {}:{})\n      mapfile -t COMPREPLY < <(compgen -W '{}' -- \"$word\")\n"
          "      return ;;\n",
          command.name, option->long_name(), fmt::join(values, " "));
    }
    cases += fmt::format("    {}:*) words='{}' ;;\n", command.name, words);
  }
  return fmt::format(
      "# Completion of heddle for bash, made by 'heddle help --completion'.\n"
      "_heddle() {{\n"
      "  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} words=''\n"
      "  if ((COMP_CWORD == 1)); then\n"
      "    mapfile -t COMPREPLY < <(compgen -W '{} --help --version' -- \"$word\")\n"
      "    return\n"
      "  fi\n"
      "  case ${{COMP_WORDS[1]}}:$before in\n{}  esac\n"
      "  if [[ $word == -* ]]; then\n"
      "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n"
      "  fi\n"
      "}}\n"
      "complete -o default -F _heddle heddle\n",
      names, cases);
}

}  // namespace heddle::cli
