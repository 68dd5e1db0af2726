// Failure files: what is written is read again, and what is not one is refused, whatever it is.
#include "report/failure.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>

#include "base/check.hpp"
#include "base/random.hpp"

namespace heddle::report {
namespace {

Failure example() {
  Failure f;
  f.build = 0x1234abcd;
  f.options.command = {"./a program", "first", "", "with\nline", "back\\slash"};
  f.options.races = abi::Races::explore;
  f.options.timeouts = abi::Timeouts::explore;
  f.options.spurious_wakeups = f.options.all_visible = f.options.isolate = true;
  f.options.nondet = {-1, 7, 0};
  f.options.max_steps = 77;
  f.kind = abi::Finding::data_race;
  f.message = "thread 2 reads 'x',\n\\ and more";
  f.place = {"dir:x/a.c", 12, "f(int)"};
  f.thread = 2;
  f.schedule = {{0, 0}, {0, 0}, {0, 0}, {1, 0}, {1, 3}, {1, 3}, {2, 1}};
  f.visible = {0xabc, 0xff00};
  return f;
}

std::string complaint(const std::string& text) {
  try {
    parse_failure(text);
  } catch (const Misuse& misuse) {
    return misuse.what();
  }
  return "";
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), by);
}

TEST(Failure, IsReadAsItWasWritten) {
  const Failure f = example(), g = parse_failure(to_text(f));
  EXPECT_EQ(g.build, f.build);
  EXPECT_EQ(g.options.command, f.options.command);
  EXPECT_EQ(g.options.races, f.options.races);
  EXPECT_EQ(g.options.timeouts, f.options.timeouts);
  EXPECT_TRUE(g.options.spurious_wakeups && g.options.all_visible && g.options.isolate);
  EXPECT_EQ(g.options.nondet, f.options.nondet);
  EXPECT_EQ(g.options.max_steps, f.options.max_steps);
  EXPECT_EQ(g.kind, f.kind);
  EXPECT_EQ(g.message, f.message);
  EXPECT_EQ(g.place.file, f.place.file);
  EXPECT_EQ(g.place.line, f.place.line);
  EXPECT_EQ(g.place.function, f.place.function);
  EXPECT_EQ(g.thread, f.thread);
  EXPECT_EQ(g.schedule, f.schedule);
  EXPECT_EQ(g.visible, f.visible);
  EXPECT_EQ(to_text(g), to_text(f));
}

TEST(Failure, KeepsDefaults) {
  Failure f;
  f.options.command = {"./p"};
  f.kind = abi::Finding::deadlock;
  const Failure g = parse_failure(to_text(f));
  EXPECT_EQ(to_text(g), to_text(f));
  EXPECT_EQ(g.options.nondet, native::Options().nondet);
  EXPECT_TRUE(g.schedule.empty());
}

TEST(Failure, SaysWhatIsWrong) {
  const std::string good = to_text(example());
  EXPECT_EQ(complaint(""), "not a failure file: line 1: expected 'heddle-failure'");
  EXPECT_EQ(complaint(replaced(good, "failure 1", "failure 2")),
            "not a failure file: line 1: unsupported version (this heddle reads version 1)");
  EXPECT_EQ(complaint(good.substr(0, good.size() - 4)),
            "not a failure file: line 16: unexpected end of file");
  EXPECT_EQ(complaint(good + "more\n"),
            "not a failure file: line 17: unexpected text after the end");
  EXPECT_EQ(complaint(replaced(good, "build", "builds")),
            "not a failure file: line 3: unknown key 'builds'");
  EXPECT_EQ(complaint(replaced(good, "thread 2\n", "thread 2\nthread 2\n")),
            "not a failure file: line 14: duplicate 'thread'");
  EXPECT_EQ(complaint("heddle-failure 1\nprogram x\nend\n"),
            "not a failure file: line 3: missing 'build'");
  EXPECT_EQ(complaint(replaced(good, "0*3", "0*999999999")),
            "not a failure file: line 14: too many steps");
  EXPECT_EQ(complaint(replaced(good, "races=explore", "races=maybe")),
            "not a failure file: line 8: invalid value 'maybe' for '--races' (expected report or "
            "explore)");
  EXPECT_EQ(complaint(replaced(good, "finding data-race", "finding none")),
            "not a failure file: line 9: unknown kind of finding");
}

// A disk that is full: one line, and no part of the file is left behind.
TEST(Failure, LeavesNothingWhereThereIsNoRoom) {
  const std::filesystem::path directory =
      std::filesystem::temp_directory_path() / ("heddle_failure_test_" + std::to_string(getpid()));
  std::filesystem::create_directory(directory);
  const std::string file = directory / "p.failure";
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const rlimit little{16, before.rlim_max};
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &little);
  std::string why;
  try {
    write_failure(file, example());
  } catch (const Misuse& misuse) {
    why = misuse.what();
  }
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(why, "cannot write '" + file + "': File too large");
  EXPECT_TRUE(std::filesystem::is_empty(directory));
  write_failure(file, example());
  EXPECT_EQ(to_text(read_failure(file)), to_text(example()));
  std::filesystem::remove_all(directory);
}

// Whatever happens to a file, it is read or refused with a line, and nothing else.
TEST(Failure, SurvivesMutations) {
  const std::string good = to_text(example());
  Random random(11);
  unsigned refused = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::string text = good;
    for (auto changes = 1 + random.below(4); changes > 0 && !text.empty(); --changes) {
      const std::size_t at = random.below(text.size());
      switch (random.below(5)) {
        case 0:
          text[at] = static_cast<char>(random.below(256));
          break;
        case 1:
          text.erase(at, 1 + random.below(20));
          break;
        case 2:
          text.insert(at, text.substr(random.below(text.size()), random.below(30)));
          break;
        case 3:
          text.resize(at);
          break;
        default:
          text.insert(at, 1, "0123456789*. \n\\="[random.below(16)]);
      }
    }
    try {
      const Failure f = parse_failure(text);
      EXPECT_FALSE(f.options.command.empty());
      EXPECT_LE(f.schedule.size(), abi::max_steps);
      EXPECT_EQ(to_text(parse_failure(to_text(f))), to_text(f));
    } catch (const Misuse& misuse) {
      ++refused;
      EXPECT_EQ(std::string(misuse.what()).find('\n'), std::string::npos);
      EXPECT_EQ(std::string(misuse.what()).rfind("not a failure file: line ", 0), 0U)
          << misuse.what();
    }
  }
  EXPECT_GT(refused, 10'000U);
}

}  // namespace
}  // namespace heddle::report
