// What checkpoints and lines of `heddle split` have in common: JSON with the version of its format,
// a checksum of everything else, and the exploration that it is about.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "native/exploration.hpp"
#include "report/json.hpp"

namespace heddle::report {

struct SavedExploration {
  std::uint64_t build = 0;  // a hash of the executable
  std::string algorithm;
  native::Options options;  // those that change the exploration
  native::Checkpoint checkpoint;
};

// Without the checkpoint.
Json head_of(const SavedExploration& saved);
// Throws Misuse, or what JSON throws.
SavedExploration read_head(const Json& in);
// A cube, as far as it can be told without the program. Throws Misuse.
void check_cube(const std::string& cube, const native::Numbering& numbering);

struct Format {
  const char* name;         // of what has it, for messages
  const char* version_key;  // the first of its members
  unsigned version;
  const char* otherwise;  // what it may be if it is not JSON of this format
};

std::string compact(const Json& json);
std::string checksum_of(const Json& json);

// As one line. REQUIRES: the content does not have what is added.
std::string seal(const Format& format, const Json& content);
// Calls `read` with what was sealed. Throws Misuse if it was not, was damaged since, or if `read`
// throws, which may be Misuse or what JSON throws.
void unseal(const Format& format, const std::string& text,
            const std::function<void(const Json&)>& read);

}  // namespace heddle::report
