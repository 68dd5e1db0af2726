// heddle explain: what the words of a report mean.
#include <fmt/format.h>

#include "base/check.hpp"
#include "cli/command.hpp"
#include "cli/text.hpp"
#include "report/json.hpp"
#include "report/kinds.hpp"

namespace heddle::cli {
namespace {

using report::Kind;

void print_section(std::string_view title, const std::string& lines) {
  fmt::print("\n{}:\n{}", title, lines);
}

void print(const Kind& kind) {
  fmt::print("{} ({}): {}\n", kind.name, name_of(kind.sort), kind.summary);
  const bool limit = kind.sort == Kind::Sort::limit;
  print_section("what it means", wrapped(kind.meaning, 2));
  print_section(limit ? "what it leaves open" : "what usually causes it", wrapped(kind.causes, 2));
  print_section("example", indented(kind.example, 4));
  print_section(limit ? "what to do about it" : "how to fix it", wrapped(kind.fix, 2));
}

void list() {
  for (const Kind::Sort sort : {Kind::Sort::finding, Kind::Sort::warning, Kind::Sort::limit}) {
    fmt::print("{}{}s:\n", sort == Kind::Sort::finding ? "" : "\n", name_of(sort));
    for (const Kind& kind : report::kinds())
      if (kind.sort == sort) fmt::print("{}", entry(kind.name, kind.summary, 26));
  }
  fmt::print("\n'heddle explain NAME' says more.\n");
}

}  // namespace

int run_explain(const Arguments& arguments) {
  std::span<const Kind> wanted = report::kinds();
  if (!arguments.operands.empty()) {
    const Kind* kind = report::find_kind(arguments.operands[0]);
    if (kind == nullptr)
      throw Misuse(
          fmt::format("unknown topic '{}' (heddle explain lists them)", arguments.operands[0]));
    wanted = {kind, 1};
  }
  if (arguments.json)
    report::print(report::to_json(wanted));
  else if (arguments.operands.empty())
    list();
  else
    print(wanted[0]);
  return exit_ok;
}

}  // namespace heddle::cli
