#include "base/files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <system_error>
#include <utility>

#include "base/check.hpp"

namespace heddle {
namespace {

namespace fs = std::filesystem;

Misuse cannot_write(const std::string& path, int error) {
  return Misuse("cannot write '" + path + "': " + std::strerror(error));
}

// Returns 0 or an error.
int write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = ::write(fd, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(n));
  }
  return 0;
}

// The target of a chain of links, whether it exists or not.
std::string target_of(const std::string& path) {
  constexpr int most_links = 40;  // as in the kernel
  fs::path target = path;
  std::error_code error;
  for (int k = 0; k < most_links && fs::is_symlink(fs::symlink_status(target, error)); ++k)
    target = target.parent_path() / fs::read_symlink(target, error);
  return target.string();
}

// Terminals, pipes and devices are written to as they are: they cannot be replaced.
bool is_special(const std::string& path) {
  struct stat info{};
  return stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
}

// A new file beside the target, which becomes the target by being renamed.
class Draft {
 public:
  explicit Draft(const std::string& path)
      : path_(path), target_(target_of(path)), draft_(target_ + ".XXXXXX") {
    std::error_code ignored;  // mkstemp will report it
    if (fs::is_directory(target_, ignored)) throw cannot_write(path_, EISDIR);
    fd_ = mkstemp(draft_.data());
    if (fd_ < 0) throw cannot_write(path_, errno);
  }
  ~Draft() {
    if (fd_ >= 0) close(fd_);
    if (!draft_.empty()) unlink(draft_.c_str());
  }
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;

  void write(std::string_view text) {
    if (const int error = write_all(fd_, text); error != 0) throw cannot_write(path_, error);
  }
  void keep(mode_t mode) {
    const bool good = fchmod(fd_, mode) == 0 && close(std::exchange(fd_, -1)) == 0 &&
                      rename(draft_.c_str(), target_.c_str()) == 0;
    if (!good) throw cannot_write(path_, errno);
    draft_.clear();
  }

 private:
  std::string path_, target_, draft_;
  int fd_ = -1;
};

// The mode that open would give to a new file.
mode_t mode_of_new_files(mode_t wanted) {
  const mode_t mask = umask(0);
  umask(mask);
  return wanted & ~mask;
}

}  // namespace

std::string read_file(const std::string& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) throw Misuse("cannot read '" + path + "': it is a directory");
  if (!fs::exists(path, error) && !error) throw Misuse("no such file: '" + path + "'");
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  if (!in || !(text << in.rdbuf())) {
    std::ifstream again(path, std::ios::binary);
    if (again && again.peek() == std::ifstream::traits_type::eof()) return "";
    throw Misuse("cannot read '" + path + "'");
  }
  return text.str();
}

void write_file(const std::string& path, std::string_view text) {
  if (!is_special(path)) {
    Draft draft(path);
    draft.write(text);
    draft.keep(mode_of_new_files(0666));
    return;
  }
  const int fd = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (fd < 0) throw cannot_write(path, errno);
  const int failed = write_all(fd, text);
  if (close(fd) != 0 || failed != 0) throw cannot_write(path, failed != 0 ? failed : errno);
}

void check_writable(const std::string& path) {
  if (!is_special(path)) Draft(path).write("?");
}

void copy_executable(const fs::path& from, const std::string& to) {
  Draft draft(to);
  draft.write(read_file(from.string()));
  draft.keep(mode_of_new_files(0777));
}

TemporaryDirectory::TemporaryDirectory() {
  std::error_code error;
  const fs::path parent = fs::temp_directory_path(error);
  if (error) throw Misuse("no directory for temporary files: TMPDIR is not a directory");
  std::string name = (parent / "heddle.XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw cannot_write(name, errno);
  path_ = name;
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace heddle
