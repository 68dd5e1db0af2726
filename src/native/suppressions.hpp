// Data races that the user does not want to hear of, in the format of ThreadSanitizer: one line for
// each, `race:pattern`, and comments that begin with #.
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

// How many different races something has been applied to.
struct Suppressed {
  std::string from;     // "tsan.supp:3"
  std::string pattern;  // "race:legacy"
  std::uint64_t count = 0;

  std::string text() const;
};
std::vector<Suppressed> suppressed_races(const Knowledge& knowledge);

class Suppressions {
 public:
  // Those of the built-in list, and of the files. Throws Misuse if one cannot be read.
  explicit Suppressions(const std::vector<std::string>& files);

  // For a run whose finding is a data race: the one that applies, or none; and whether that is
  // because of the variable.
  struct Match {
    const Suppression* suppression = nullptr;
    bool by_variable = false;
  };
  Match match(const Explanation& run, const Symbols& symbols) const;

  // Lines that are not applied, and why.
  const std::vector<std::string>& remarks() const { return remarks_; }

 private:
  void read(const std::string& text, const std::string& file);
  void read_line(std::string_view line, const std::string& file, unsigned number);

  std::vector<Suppression> all_;
  std::vector<std::string> remarks_;
};

// Whether a name fits a pattern.
bool fits(std::string_view pattern, std::string_view name);

// If the run, which has been explained, has found a data race that is suppressed: notes that. What
// it might have found after that race is for another run to tell.
bool pardon(const Explanation& run, const Suppressions& suppressions, Worker& worker,
            Knowledge& knowledge);

}  // namespace heddle::native
