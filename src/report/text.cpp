#include "report/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <ranges>

#include "findings/phrases.hpp"
#include "report/table.hpp"

namespace heddle::report {
namespace {

using findings::Finding;
using findings::Place;

std::vector<Place> users(const findings::Stack& stack) {
  std::vector<Place> out;
  std::ranges::copy_if(stack.frames, std::back_inserter(out),
                       [](const Place& p) { return p.line != 0 && !findings::is_system(p.file); });
  return out;
}

// Whether a stack says something new: it is deeper than the place that was shown, or leads
// elsewhere. The first is that of the finding; so is the second, if it is a data race.
bool is_worth_showing(const Finding& f, std::size_t k) {
  const std::size_t own = f.kind == abi::Finding::data_race ? 2 : 1;
  return k < own && users(f.stacks[k]).size() > 1;
}

void add_stacks(const Finding& f, const Style& style, bool verbose, std::string& out) {
  for (std::size_t k = 0; k < f.stacks.size(); ++k) {
    if (!verbose && !is_worth_showing(f, k)) continue;
    out += fmt::format("\n  {}:\n", title_of(f.stacks[k]));
    for (const Place& p : verbose ? f.stacks[k].frames : users(f.stacks[k])) {
      const std::string line =
          fmt::format("    {}  {}:{}\n", harmless(p.function), harmless(p.file), p.line);
      out += style.unicode ? line : as_ascii(line);
    }
  }
}

// Whether the text contains "block #1" itself, and not only "block #12".
bool names(const std::string& text, const std::string& block) {
  for (std::size_t at = 0; (at = text.find(block, at)) != std::string::npos; at += block.size())
    if (at + block.size() == text.size() ||
        std::isdigit(static_cast<unsigned char>(text[at + block.size()])) == 0)
      return true;
  return false;
}

void add_table(const std::vector<std::string>& lines, std::string& out) {
  for (const std::string& line : lines) out += line + "\n";
}

}  // namespace

std::string text_of(const Finding& f, const Style& style, bool verbose) {
  const auto shown = [&](const std::string& s) {
    return style.unicode ? harmless(s) : as_ascii(harmless(s));
  };
  // Some messages have several lines, such as those of test frameworks.
  std::string lines;
  for (const auto line : std::views::split(headline(f), '\n'))
    lines += (lines.empty() ? "" : "\n    ") + shown(std::string(line.begin(), line.end()));
  std::string out = coloured(lines, Colour::bold, style) + "\n";
  if (const std::string note = note_of(f); !note.empty()) out += shown(note) + "\n";
  if (f.place.is_known()) out += fmt::format("  in {}\n", shown(f.place.function));
  if (!f.trace.rows.empty()) {
    out += "\n";
    add_table(table_of(f.trace, verbose ? unfolded(f.trace) : folded(f.trace), style, verbose),
              out);
  }
  const std::string above = out;
  for (const findings::Block& b : f.trace.blocks)
    if (names(above, fmt::format("block #{}", b.number)))
      out += coloured("  " + shown(text_of(b)), Colour::dim, style) + "\n";
  add_stacks(f, style, verbose, out);
  return out;
}

std::string text_of(const findings::Trace& trace, const Style& style, bool verbose) {
  std::string out;
  add_table(table_of(trace, unfolded(trace), style, verbose), out);
  return out;
}

std::string text_of(const native::Outcomes& outcomes) {
  std::string out = "outcomes\n        runs  value\n";
  for (const auto& [outcome, runs] : outcomes) {
    const std::string value = outcome.value ? fmt::format("{}", *outcome.value) : "none";
    out += fmt::format("{:>12}  {}", runs, value);
    if (outcome.finding != abi::Finding::none)
      out += fmt::format(" ({})", abi::name_of(outcome.finding));
    out += "\n";
  }
  return out;
}

}  // namespace heddle::report
