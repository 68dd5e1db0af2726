// Random programs for compiled exploration: what is generated, how it is printed, and shrinking.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <span>

#include "fuzz/generate.hpp"
#include "fuzz/shrink.hpp"
#include "fuzz/source.hpp"

namespace heddle::fuzz {
namespace {

constexpr std::uint64_t programs_of_each = 4000;

bool has(const Program& program, std::string_view kind) {
  const std::size_t wanted = kind_named(kind);
  return std::ranges::any_of(program.threads, [&](const std::vector<Step>& thread) {
    return std::ranges::find(thread, wanted, &Step::kind) != thread.end();
  });
}

TEST(NativeFuzz, TheSameSeedGivesTheSameProgram) {
  for (const Shape& shape : shapes()) EXPECT_EQ(generate(shape, 7), generate(shape, 7));
  EXPECT_NE(generate(shapes()[0], 7), generate(shapes()[0], 8));
}

TEST(NativeFuzz, ProgramsAreWellFormedAndHaveEveryKindAndEveryLook) {
  std::set<std::size_t> seen;
  std::set<std::pair<Look, When>> looks;
  for (const Shape& shape : shapes())
    for (std::uint64_t seed = 0; seed < programs_of_each; ++seed) {
      const Program program = generate(shape, seed);
      ASSERT_TRUE(is_well_formed(program)) << shape.name << " " << seed;
      EXPECT_LE(steps_of(program), 64U);
      EXPECT_TRUE(shape.waits_for.empty() || waits(program));
      for (const auto& thread : program.threads)
        for (const Step& s : thread) seen.insert(s.kind);
      looks.insert({program.look, program.when});
    }
  for (std::size_t n = 0; n < kinds().size(); ++n) EXPECT_TRUE(seen.contains(n)) << kinds()[n].name;
  EXPECT_EQ(looks.size(), static_cast<std::size_t>(looks_in_cxx * whens));
}

TEST(NativeFuzz, PartnersExistAndObjectsAreDeclared) {
  for (const Kind& kind : kinds()) {
    EXPECT_TRUE(kind.partner.empty() || kind_named(kind.partner) < kinds().size()) << kind.name;
    for (const char letter : kind.uses)
      EXPECT_NE(std::ranges::find(objects(), letter, &Object::letter), objects().end())
          << kind.name << " " << letter;
    EXPECT_TRUE(kind.role != Role::waits || kind.code.find("ROUND") != std::string::npos)
        << kind.name;
  }
}

TEST(NativeFuzz, SourceHasWhatIsUsedAndNothingElse) {
  Program program;
  program.threads = {{{kind_named("store"), 0, 1, 0}}, {{kind_named("store"), 0, 2, 0}}};
  const std::string text = source_of(program);
  EXPECT_NE(text.find("store(0, 1, 0)"), std::string::npos);
  EXPECT_NE(text.find("store(0, 2, 0)"), std::string::npos);
  EXPECT_EQ(text.find("pthread_mutex"), std::string::npos);
  EXPECT_EQ(text.find("#define CAS"), std::string::npos);
  EXPECT_EQ(text.find("<atomic>"), std::string::npos);
  program.cxx = true;
  program.look = Look::by_reference;
  EXPECT_NE(source_of(program).find("#include <atomic>"), std::string::npos);
}

TEST(NativeFuzz, ProgramsThatAreExploredTogetherAreData) {
  const Program both[] = {generate(shapes()[1], 7), generate(shapes()[1], 8)};
  const std::span<const Program> all = both;
  EXPECT_EQ(data_of(all), data_of(all.first(1)) + "/" + data_of(all.last(1)));
  EXPECT_EQ(data_of(all.first(1)).find('/'), std::string::npos);
}

// Beside a loop that waits, there are often threads that look at what it does, undo it, and look.
TEST(NativeFuzz, LoopsThatWaitAreWatched) {
  const auto watches = [](const std::vector<Step>& thread) {
    const std::size_t look = kind_named("load16"), undo = kind_named("store16");
    for (std::size_t n = 2; n < thread.size(); ++n)
      if (thread[n - 2].kind == look && thread[n - 1].kind == undo && thread[n].kind == look)
        return true;
    return false;
  };
  int count = 0;
  for (std::uint64_t seed = 0; seed < programs_of_each; ++seed)
    for (const Shape& shape : shapes())
      if (shape.name == "waiting for wide atomics")
        count += std::ranges::any_of(generate(shape, seed).threads, watches) ? 1 : 0;
  EXPECT_GT(count, static_cast<int>(programs_of_each) / 100);
}

TEST(NativeFuzz, ShrinkingKeepsWhatItIsToldToKeepAndLeavesNothingThatCanGo) {
  const auto keep = [](const Program& p) {
    return has(p, "mutex_check_round") && has(p, "mutex_tries");
  };
  int shrunk = 0;
  for (std::uint64_t seed = 0; seed < 40'000; ++seed) {
    const Program program = generate(shapes()[1], seed);
    if (!keep(program)) continue;
    const Program smaller = shrink(program, keep);
    EXPECT_TRUE(keep(smaller));
    EXPECT_EQ(steps_of(smaller), 2U);
    EXPECT_EQ(smaller.when, When::joined);
    ++shrunk;
  }
  EXPECT_GT(shrunk, 0);
}

TEST(NativeFuzz, ShrinkingKeepsLocksInPairs) {
  const auto keep = [](const Program& p) { return has(p, "mutex_open"); };
  int shrunk = 0;
  for (std::uint64_t seed = 0; seed < 40'000 && shrunk < 20; ++seed) {
    const Program program = generate(shapes()[1], seed);
    if (!keep(program)) continue;
    const Program smaller = shrink(program, keep);
    EXPECT_TRUE(is_well_formed(smaller));
    EXPECT_EQ(steps_of(smaller), 2U);
    EXPECT_TRUE(has(smaller, "mutex_close"));
    ++shrunk;
  }
  EXPECT_GT(shrunk, 0);
}

}  // namespace
}  // namespace heddle::fuzz
