#include "report/source.hpp"

#include <fstream>

namespace heddle::report {

const std::vector<std::string>& Sources::lines(const std::string& file) {
  const auto [at, fresh] = files_.try_emplace(file);
  if (fresh) {
    std::ifstream in(file);
    for (std::string text; std::getline(in, text);) at->second.push_back(text);
  }
  return at->second;
}

std::string Sources::line(const std::string& file, unsigned number) {
  const std::vector<std::string>& all = lines(file);
  if (number == 0 || number > all.size()) return "";
  const std::string& text = all[number - 1];
  const std::size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

}  // namespace heddle::report
