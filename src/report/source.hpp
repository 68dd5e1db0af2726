// Lines of source files.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace heddle::report {

class Sources {
 public:
  // The line without surrounding white space; empty if the line or the file does not exist.
  std::string line(const std::string& file, unsigned number);
  // All lines, without their ends; none if the file cannot be read.
  const std::vector<std::string>& lines(const std::string& file);

 private:
  std::map<std::string, std::vector<std::string>> files_;
};

}  // namespace heddle::report
