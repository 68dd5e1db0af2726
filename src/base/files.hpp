// Files that are read and written as a whole.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace heddle {

// Throws Misuse if it does not exist or cannot be read.
std::string read_file(const std::string& path);

// Replaces the contents of the file atomically: readers see the old contents or all of the text,
// never a part. If it cannot be written, nothing is left behind, and Misuse is thrown.
void write_file(const std::string& path, std::string_view text);

// Throws the Misuse that write_file would throw, as far as that can be known in advance, and
// changes nothing: better now than after an hour of work.
void check_writable(const std::string& path);

// Copies a file that can be executed, with the promises of write_file.
void copy_executable(const std::filesystem::path& from, const std::string& to);

// A new temporary directory, removed when this object is destroyed.
class TemporaryDirectory {
 public:
  TemporaryDirectory();
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace heddle
