// Executables for random programs: the interpreter, built once for each language and level, and
// programs that are compiled for themselves.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/files.hpp"
#include "fuzz/program.hpp"

namespace heddle::fuzz {

// How often a loop that waits goes round; 0: as it does.
using Bound = unsigned;

// For a command line of heddle: what a program needs of the compiler.
std::vector<std::string> compiler_options(const Program& program);

class Builds {
 public:
  // The program and its arguments. Throws Misuse if it does not compile.
  std::vector<std::string> command(const Program& program, Bound bound);
  std::uint64_t compiled() const { return compiled_; }

 private:
  std::string build(const std::string& source, const Program& program,
                    const std::string& definition);

  TemporaryDirectory directory_;
  std::map<std::string, std::string> interpreters_;
  std::string last_source_;  // of one that was compiled for itself
  std::map<Bound, std::string> last_;
  std::uint64_t compiled_ = 0;
};

}  // namespace heddle::fuzz
