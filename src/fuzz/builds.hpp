// Executables for random programs: the interpreter, built once for each language and level, and
// programs that are compiled for themselves.
#pragma once

#include <future>
#include <map>
#include <span>
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
  // The executable and its arguments: one program, or several that are compiled in the same way and
  // none of them for itself, of which each run chooses one. Throws Misuse if it does not compile.
  std::vector<std::string> command(std::span<const Program> programs, Bound bound);
  std::uint64_t compiled() const { return compiled_; }

 private:
  // In two forms. As soon as one of them is needed, both are built, at the same time.
  struct Interpreter {
    std::shared_future<std::string> unbounded, bounded;
  };
  const Interpreter& interpreter(const Program& program);
  std::string next_name();

  TemporaryDirectory directory_;
  std::map<std::string, Interpreter> interpreters_;
  std::string last_source_;  // of one that was compiled for itself
  std::map<Bound, std::string> last_;
  std::uint64_t compiled_ = 0;
};

}  // namespace heddle::fuzz
