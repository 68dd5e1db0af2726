#include "findings/place.hpp"

#include <filesystem>

namespace heddle::findings {

bool is_system(const std::string& file) {
  const std::string path = std::filesystem::path(file).lexically_normal().string();
  return path.starts_with("/usr/include/") || path.starts_with("/usr/lib/") ||
         path.starts_with("/lib/") || path.find("/heddle/actors") != std::string::npos;
}

}  // namespace heddle::findings
