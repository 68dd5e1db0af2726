// Data races that are not to be reported, in the format of ThreadSanitizer: one line for each,
// `race:pattern`, and comments that begin with #.
//
//   race            a function, a file or a library in one of the two stacks, or the variable
//   race_top        the same, of the innermost functions only
//   called_from_lib the library that called a function of the C library that accesses memory
//
// A pattern may be anywhere in the name; ^ stands for its beginning, $ for its end, * for anything.
// A suppressed race is explored, like those of --races explore: see Exploration::judge.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "native/explanation.hpp"
#include "native/knowledge.hpp"
#include "native/symbols.hpp"
#include "native/worker.hpp"

namespace heddle::native {

struct Suppression {
  enum class Kind : std::uint8_t { race, race_top, called_from_lib };
  Kind kind;
  std::string pattern;
  std::string file;  // empty: the built-in list
  unsigned line = 0;

  std::string from() const;  // "tsan.supp:3"
  std::string text() const;  // "race:legacy"
};

// A suppression that was applied, and to how many distinct races.
struct Suppressed {
  std::string from;     // "tsan.supp:3"
  std::string pattern;  // "race:legacy"
  std::uint64_t count = 0;

  std::string text() const;
};
std::vector<Suppressed> suppressed_races(const Knowledge& knowledge);

class Suppressions {
 public:
  // The built-in list, and those in the files. Throws Misuse if a file cannot be read.
  explicit Suppressions(const std::vector<std::string>& files);

  // For a run whose finding is a data race: the suppression that applies, or none; and whether it
  // matched the variable.
  struct Match {
    const Suppression* suppression = nullptr;
    bool by_variable = false;
  };
  Match match(const Explanation& run, const Symbols& symbols) const;

  // Lines that are ignored, and why.
  const std::vector<std::string>& remarks() const { return remarks_; }

 private:
  void read(const std::string& text, const std::string& file);
  void read_line(std::string_view line, const std::string& file, unsigned number);

  std::vector<Suppression> all_;
  std::vector<std::string> remarks_;
};

// Whether a name matches a pattern.
bool fits(std::string_view pattern, std::string_view name);

// If the explained run has found a data race that is suppressed, records that in `knowledge` and
// returns true. What the run might have found after that race takes another run.
bool pardon(const Explanation& run, const Suppressions& suppressions, Worker& worker,
            Knowledge& knowledge);

}  // namespace heddle::native
