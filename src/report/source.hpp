// Lines of source files.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace heddle::report {

class Sources {
 public:
  // Without the space around it; empty if there is no such line, or no such file.
  std::string line(const std::string& file, unsigned number);

 private:
  std::map<std::string, std::vector<std::string>> files_;
};

}  // namespace heddle::report
