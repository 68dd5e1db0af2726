// The programs that are measured: bench/programs/suite.tsv.
#pragma once

#include <string>
#include <vector>

namespace heddle::bench {

struct Program {
  std::string suite, name;
  std::string file;                    // its path
  std::vector<std::string> flags;      // for the compiler
  std::string model;                   // the built-in model program of the same traces; or empty
  std::vector<std::string> published;  // its names in the tables of papers
  std::vector<int> sizes;              // from small to large; none: it has no size
};

// Where the programs and tables are: beside this executable where it was built, in a directory of
// shared files where it is installed. Throws Misuse if there are none.
std::string directory();

std::vector<Program> read_suite(const std::string& directory);

// What a user calls it: "pi(5)", or "running-example", which has no size.
std::string title(const Program& program, int size);

// Compiles it for `heddle run`. Throws Misuse if it does not compile.
void build(const Program& program, int size, const std::string& executable);

}  // namespace heddle::bench
