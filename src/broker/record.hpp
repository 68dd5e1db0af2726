// What a job has beside the broker: cubes, what became of them, checkpoints and their audit.
// These are values; nothing here talks to a broker.
//
// All texts are UTF-8. A cube is a text without control characters, of which nothing else is known
// here (JSON, in practice). Its name is a hash of the generation and the text. The cubes of a
// generation are a tree: the root is all of the job, and a cube that was split has others as parts.
// What became of a cube never changes. So what was copied from a job at any time, in any order, is
// part of the truth about it.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "broker/error.hpp"

namespace heddle::broker {

// At most, in bytes: what is larger is refused by what sends it and by what receives it.
constexpr std::size_t most_cube = 16 << 10;
constexpr std::size_t most_record = 256 << 10;  // an outcome; of a split, the cubes together
constexpr std::size_t most_finding = 256 << 10;
constexpr std::size_t most_knowledge = 1 << 20;
constexpr std::size_t most_identity = 256 << 10;  // its fields together
constexpr std::size_t most_heartbeat = 1 << 10;
constexpr std::size_t most_findings = 256;  // of a job; the first ones are kept

// Names are of [a-z_], values below 10^15.
using Counts = std::map<std::string, std::uint64_t>;

struct Done {
  Counts counts;
  std::string result;  // whatever else is to be kept of it
  bool operator==(const Done&) const = default;
};
struct Split {
  std::vector<std::string> cubes;  // at least one, all different; together, all of the one split
  bool operator==(const Split&) const = default;
};
struct Failed {
  std::string why;
  bool operator==(const Failed&) const = default;
};
using Outcome = std::variant<Done, Split, Failed>;

struct Record {
  std::string worker;  // whose outcome it is, for blame
  Outcome outcome;
  bool operator==(const Record&) const = default;
};

// The fields are names without control characters; values are whatever they are.
using Identity = std::map<std::string, std::string>;

// Throws Misuse, which names the fields that differ and how, if the two are not equal. "program
// hash: the job has 12, this worker 34".
void require_same(const Identity& job, const Identity& own);

// A generation is a number and a hash of what is known: if the broker forgets a generation, another
// one with the same number is not taken for it.
std::string first_generation(std::string_view knowledge);
std::string next_generation(std::string_view generation, std::string_view knowledge);
bool is_generation_of(std::string_view generation, std::string_view knowledge);

std::string cube_name(std::string_view generation, std::string_view cube);

// As it is kept in the broker: the kind, the worker and counts or names of parts in the first line;
// in the others, the result, the parts or the reason. `parse_record` throws Malformed.
std::string to_text(const Record& record, std::string_view generation);
Record parse_record(std::string_view text, std::string_view generation);

// Throws Error, which says why, if the outcome is too large or has what is not allowed.
void check_outcome(const Outcome& outcome);
void check_cube(std::string_view cube);
// Throws Error if it is larger or not UTF-8; `what` is for the message.
void check_text(std::string_view text, std::size_t most, std::string_view what);
bool is_name(std::string_view text);  // of a job or of a worker: letters, digits, '.', '_' and '-'

// Findings with the same key are one.
struct Finding {
  std::string key, text;
  std::string worker, generation;
  bool operator==(const Finding&) const = default;
};

// All that has to outlive the broker: from this a job can be created anew. With the first four
// only, it is a job at its beginning.
struct Checkpoint {
  Identity identity = {};
  std::string knowledge = {};
  std::string root = {};        // cube
  bool keep_going = false;      // whether the job continues after a finding
  std::string generation = {};  // empty: the first
  std::map<std::string, Record> done = {};
  std::vector<Finding> findings = {};
  bool operator==(const Checkpoint&) const = default;
};

nlohmann::json to_json(const Checkpoint& checkpoint);
// Throws Misuse if it is not a checkpoint.
Checkpoint parse_checkpoint(const nlohmann::json& json);

struct OpenCube {
  std::string cube, parent;  // the parent's name; empty for the root
};

// What follows from the outcomes, from the root on.
struct Audit {
  Counts counts;  // the sum over all that is done
  std::uint64_t done = 0, split = 0;
  std::vector<OpenCube> open;                               // without an outcome
  std::vector<std::pair<std::string, std::string>> failed;  // cube, why
  std::vector<std::string> strays;    // names of cubes that have an outcome and are not in the tree
  std::vector<std::string> problems;  // a cube in two splits; sums that do not agree

  bool is_complete() const {
    return open.empty() && failed.empty() && strays.empty() && problems.empty();
  }
};

// `kept` are the sums that the broker kept; they are not compared where there are none.
Audit audit(const Checkpoint& checkpoint, const Counts* kept = nullptr);

}  // namespace heddle::broker
