// A place in the source of the program under test.
#pragma once

#include <string>

namespace heddle::findings {

struct Place {
  std::string file;
  unsigned line = 0;  // 0: not known
  std::string function;
  std::string module = {};  // the executable or library, of a frame of a stack
  unsigned column = 0;      // 0: not known

  bool is_known() const { return line != 0; }
};

// Whether a file belongs to the compiler, the C library or libstdc++.
bool is_system(const std::string& file);

}  // namespace heddle::findings
