// Files are written as a whole or not at all.
#include "base/files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <fstream>

#include "base/check.hpp"

namespace heddle {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::ThrowsMessage;
using testing::UnorderedElementsAre;

struct FilesTest : testing::Test {
  TemporaryDirectory directory;

  std::string path(const std::string& name) const { return (directory.path() / name).string(); }
  std::vector<std::string> names() const {
    std::vector<std::string> out;
    for (const auto& entry : fs::directory_iterator(directory.path()))
      out.push_back(entry.path().filename().string());
    return out;
  }
};

// Files may grow to this number of bytes, until the end of the scope.
class SizeLimit {
 public:
  explicit SizeLimit(rlim_t bytes) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit now{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &now);
    handler_ = signal(SIGXFSZ, SIG_IGN);
  }
  ~SizeLimit() {
    setrlimit(RLIMIT_FSIZE, &before_);
    signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  void (*handler_)(int);
};

TEST_F(FilesTest, AreWrittenAndRead) {
  const std::string text(100'000, 'x');
  write_file(path("a"), text);
  EXPECT_EQ(read_file(path("a")), text);
  write_file(path("a"), "");
  EXPECT_EQ(read_file(path("a")), "");
  EXPECT_THAT(names(), UnorderedElementsAre("a"));
}

TEST_F(FilesTest, AreLeftAsTheyWereIfThereIsNoRoom) {
  write_file(path("a"), "old");
  const SizeLimit limit(1000);
  for (const char* name : {"a", "b"})
    EXPECT_THAT(
        [&] { write_file(path(name), std::string(2000, 'x')); },
        ThrowsMessage<Misuse>(HasSubstr("cannot write '" + path(name) + "': File too large")));
  EXPECT_EQ(read_file(path("a")), "old");
  EXPECT_THAT(names(), UnorderedElementsAre("a"));
}

TEST_F(FilesTest, AreCheckedWithoutBeingChanged) {
  write_file(path("a"), "old");
  check_writable(path("a"));
  check_writable(path("b"));
  EXPECT_EQ(read_file(path("a")), "old");
  EXPECT_THAT(names(), UnorderedElementsAre("a"));
  EXPECT_THROW(check_writable(path("absent/c")), Misuse);
  EXPECT_THROW(check_writable(directory.path().string()), Misuse);
  const SizeLimit limit(0);
  EXPECT_THROW(check_writable(path("b")), Misuse);
  EXPECT_THAT(names(), UnorderedElementsAre("a"));
}

TEST_F(FilesTest, AreWrittenBehindLinks) {
  write_file(path("a"), "old");
  fs::create_symlink("a", path("link"));
  fs::create_symlink("new", path("dangling"));
  write_file(path("link"), "1");
  write_file(path("dangling"), "2");
  EXPECT_EQ(read_file(path("a")), "1");
  EXPECT_EQ(read_file(path("new")), "2");
  EXPECT_TRUE(fs::is_symlink(path("link")) && fs::is_symlink(path("dangling")));
}

TEST_F(FilesTest, ThatAreDevicesStaySo) {
  EXPECT_THAT([] { write_file("/dev/full", "x"); },
              ThrowsMessage<Misuse>(HasSubstr("No space left on device")));
  write_file("/dev/null", "x");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(FilesTest, ThatAreCopiedCanBeExecuted) {
  write_file(path("a"), "#!/bin/sh\n");
  copy_executable(path("a"), path("b"));
  struct stat info{};
  ASSERT_EQ(stat(path("b").c_str(), &info), 0);
  EXPECT_NE(info.st_mode & S_IXUSR, 0U);
  EXPECT_EQ(read_file(path("b")), "#!/bin/sh\n");
}

TEST_F(FilesTest, ThatCannotBeReadAreRefused) {
  EXPECT_THROW(read_file(path("absent")), Misuse);
  EXPECT_THROW(read_file(directory.path().string()), Misuse);
  EXPECT_THROW(read_file(path(std::string(5000, 'x'))), Misuse);
}

TEST(TemporaryDirectories, AreGoneAtTheEnd) {
  fs::path path;
  {
    const TemporaryDirectory directory;
    path = directory.path();
    std::ofstream(path / "file") << "x";
    EXPECT_TRUE(fs::exists(path / "file"));
  }
  EXPECT_FALSE(fs::exists(path));
}

}  // namespace
}  // namespace heddle
