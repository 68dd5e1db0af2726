// heddle split: an exploration in parts, for machines that share nothing.
#include <fmt/format.h>

#include "base/check.hpp"
#include "base/files.hpp"
#include "cli/command.hpp"
#include "cli/program.hpp"
#include "report/failure.hpp"
#include "report/parts.hpp"

namespace heddle::cli {

int run_split(const Arguments& given) {
  Arguments arguments = given;
  const std::string program = given.operands[0];
  arguments.after_dashes.insert(arguments.after_dashes.begin(), given.operands.begin() + 1,
                                given.operands.end());
  const Algorithm& algorithm = *find_algorithm(arguments.algorithm);
  if (!algorithm.is_divisible())
    throw Misuse(fmt::format("{} does not explore parts: use optimal, observers or merging",
                             algorithm.name));
  native::Options options = native_options(arguments, program);
  native::Checkpoint known;
  if (!arguments.learned.empty()) {
    for (const std::string& file : arguments.learned)
      report::add_learned(known, file, read_file(file));
    options.resume = &known;
  }
  report::SavedExploration split{report::build_of(options.command[0]), arguments.algorithm, options,
                                 native::split(algorithm, options, arguments.split_into)};
  for (const std::string& line : report::part_lines(split)) fmt::print("{}\n", line);
  return exit_ok;
}

int run_merge(const Arguments& arguments) {
  report::Merged merged;
  for (const std::string& file : arguments.operands) merged.add(file, read_file(file));
  merged.check_complete();
  if (arguments.json)
    report::print(merged.to_json());
  else
    fmt::print("{}", merged.to_text());
  const std::string verdict = merged.verdict();
  if (verdict == "finding") return exit_finding;
  return verdict == "verified" ? exit_ok : exit_incomplete;
}

}  // namespace heddle::cli
