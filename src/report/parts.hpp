// Parts of an exploration as files, for machines that share nothing: `heddle split` writes a line
// for each, `heddle run --cube` explores one, and `heddle merge` adds up what they brought.
//
// A line is JSON, with the version of the format as "heddle-cube". It has all that is needed to
// explore its part of the program: the arguments, the algorithm and the options, what was learned,
// and the cube.
#pragma once

#include <string>
#include <vector>

#include "report/checkpoint.hpp"
#include "report/json.hpp"

namespace heddle::report {

struct Part {
  std::string job;                 // the same for all parts of one split, and for no others
  std::size_t number = 0, of = 0;  // from 1
  SavedExploration exploration;    // with one cube that is open
};

// One for each cube that is open.
std::vector<std::string> part_lines(const SavedExploration& split);
// Throws Misuse if it is not such a line.
Part parse_part(const std::string& line);

// Adds what the result of a part has learned. Throws Misuse if it is not such a result.
void add_learned(native::Checkpoint& to, const std::string& name, const std::string& result);

// What `heddle run --cube` adds to its result, for `heddle merge`.
Json to_json(const Part& part, const native::Report& report);

// Results of all parts of one split, added up.
class Merged {
 public:
  // Throws Misuse if the text is not a result of a part, or not of the same split as the others, or
  // if this part was added before. `name` is for messages.
  void add(const std::string& name, const std::string& text);
  // Throws Misuse if results are missing.
  void check_complete() const;

  Json to_json() const;
  std::string to_text() const;
  // As native::Report has it.
  std::string verdict() const;

 private:
  void add_findings(const Json& findings, const Json& texts);

  std::string job_;
  std::size_t of_ = 0;
  std::vector<std::string> names_;  // by number: that of the result, empty if there is none
  Json program_, arguments_, algorithm_;
  native::Brought brought_;
  bool complete_ = true;
  double seconds_ = 0;
  std::vector<Json> findings_;
  std::vector<std::string> texts_, warnings_, limits_;
};

}  // namespace heddle::report
