// The words for rows, blocks, stacks and loops, from data made by hand.
#include "findings/phrases.hpp"

#include <gtest/gtest.h>

#include <set>

namespace heddle::findings {
namespace {

const Place place{"src/x.cpp", 7, "f", {}, 3};

Row row_of(Verb verb, const std::string& object) {
  Row row;
  row.verb = verb;
  row.actions = {{verb, {ObjectClass::memory, object, 0x1000, 4}}};
  return row;
}

Row with_values(Row row, std::optional<std::string> before, std::optional<std::string> after) {
  if (before) row.actions[0].before = Value{0, *before};
  if (after) row.actions[0].after = Value{0, *after};
  return row;
}

TEST(Phrases, ValuesOfMemory) {
  EXPECT_EQ(what(with_values(row_of(Verb::read, "x"), "2", {})), "read x → 2");
  EXPECT_EQ(what(with_values(row_of(Verb::write, "x"), {}, "3")), "write x = 3");
  EXPECT_EQ(what(with_values(row_of(Verb::update, "x"), "2", "3")), "update x: 2 → 3");
  EXPECT_EQ(what(with_values(row_of(Verb::compare_exchange, "top"), "null", "block #1")),
            "compare-exchange top: null → block #1");
  EXPECT_EQ(what(with_values(row_of(Verb::compare_exchange_fail, "top"), "2", {})),
            "compare-exchange top → 2: fails");
  EXPECT_EQ(what(row_of(Verb::update, "x")), "update x");  // of a run that died
}

TEST(Phrases, LocksAndThreads) {
  EXPECT_EQ(what(row_of(Verb::lock, "m")), "lock m");
  EXPECT_EQ(what(row_of(Verb::create, "2")), "create thread 2");
  Row wait = row_of(Verb::wait, "c");
  wait.actions.push_back({Verb::unlock, {ObjectClass::mutex, "m"}});
  EXPECT_EQ(what(wait), "wait on c, unlock m");
}

TEST(Phrases, ChoicesBlocksAndTimeOuts) {
  Row row;
  row.verb = Verb::choose;
  row.alternative = 1;
  row.alternatives = 3;
  EXPECT_EQ(what(row), "choose 1 of 0 to 2");
  row.verb = Verb::atomic_block;
  EXPECT_EQ(what(row), "atomic block");
  row.actions = {{Verb::read, {ObjectClass::memory, "x"}},
                 {Verb::write, {ObjectClass::memory, "y"}}};
  EXPECT_EQ(what(row), "atomic block: read x, write y");
}

TEST(Phrases, BlockedThreads) {
  Row row = row_of(Verb::lock, "b");
  row.kind = Row::Kind::waits;
  EXPECT_EQ(what(row), "blocked locking b");
  row.holders = {{2, 5, place}};
  EXPECT_EQ(what(row), "blocked locking b, held by thread 2");
  row.holders = {{2, 5}, {3, 6}};
  EXPECT_EQ(what(row), "blocked locking b, held by thread 2 and thread 3");
}

TEST(Phrases, Origins) {
  Row row;
  EXPECT_EQ(origin_text(row), "");
  row.origin = {Origin::Relation::from, {2}, 4};
  EXPECT_EQ(origin_text(row), "from thread 2");
  row.origin = {Origin::Relation::after, {1, 2}};
  EXPECT_EQ(origin_text(row), "after threads 1, 2");
  row.origin = {Origin::Relation::races, {1}};
  EXPECT_EQ(origin_text(row), "races with thread 1");
}

TEST(Phrases, Blocks) {
  Block block{1, 16, 0, place};
  EXPECT_EQ(text_of(block), "block #1: 16 bytes allocated by thread 0 at src/x.cpp:7");
  EXPECT_EQ(release_of(block), "");
  block.freed_by = 2;
  EXPECT_EQ(release_of(block), ", freed by thread 2");
  EXPECT_EQ(text_of(Block{2, 1}), "block #2: 1 byte allocated before main");
}

TEST(Phrases, DataRaces) {
  DataRace race{"'n'", {1, Verb::write, false, false, 4, place}, {2, Verb::read, true, false, 4}};
  EXPECT_EQ(message_of(race),
            "atomic read of size 4 of 'n' by thread 2 races with the previous write of size 4 by "
            "thread 1 at src/x.cpp:7");
  Finding finding;
  finding.kind = abi::Finding::data_race;
  finding.message = message_of(race);
  finding.place = {"src/x.cpp", 9, "g", {}, 5};
  EXPECT_EQ(note_of(finding), "");
  finding.race = race;
  EXPECT_EQ(headline(finding), "src/x.cpp:9:5: error: " + finding.message + " [data-race]");
  EXPECT_EQ(note_of(finding), "src/x.cpp:7:3: note: previous write of size 4 by thread 1");
  race.previous = {1, Verb::free, false, true};
  EXPECT_EQ(message_of(race),
            "atomic read of size 4 of 'n' by thread 2 races with the end of thread 1, whose memory "
            "it is");
  race.previous.ends_thread = false;
  EXPECT_EQ(message_of(race),
            "atomic read of size 4 of 'n' by thread 2 races with the previous free by thread 1");
}

TEST(Phrases, HeadlinesOfFindingsWithoutAPlace) {
  Finding finding;
  finding.kind = abi::Finding::endless;
  finding.message = "a run takes too many steps";
  EXPECT_EQ(headline(finding), "warning: a run takes too many steps [endless]");
  finding.kind = abi::Finding::assertion;
  finding.message = "assertion 'x == 1' failed";
  EXPECT_EQ(headline(finding), "error: assertion 'x == 1' failed [assertion]");
}

TEST(Phrases, EveryVerbHasANameOfItsOwn) {
  std::set<std::string_view> names;
  for (std::size_t k = 0; k < verb_count; ++k) names.insert(name_of(static_cast<Verb>(k)));
  EXPECT_EQ(names.size(), verb_count);
  EXPECT_FALSE(names.contains(""));
}

TEST(Phrases, RowsThatReadTheSame) {
  const Row row = with_values(row_of(Verb::read, "x"), "0", {});
  Row later = row;
  later.number = 9;
  later.stack = {place};
  EXPECT_TRUE(reads_the_same(row, later));
  EXPECT_FALSE(reads_the_same(row, with_values(row_of(Verb::read, "x"), "1", {})));
  later.origin = {Origin::Relation::from, {2}};
  EXPECT_FALSE(reads_the_same(row, later));
}

Trace loop_of(const std::vector<Row>& round, std::size_t times) {
  Trace trace;
  for (std::size_t k = 0; k < times; ++k)
    trace.rows.insert(trace.rows.end(), round.begin(), round.end());
  trace.end = trace.rows.size();
  return trace;
}

TEST(Repeats, LoopsThatLookAndLoopsThatWrite) {
  Row read = with_values(row_of(Verb::read, "x"), "0", {});
  read.place = place;
  Row write = with_values(row_of(Verb::write, "n"), {}, "1");
  write.place = {"src/x.cpp", 8, "f"};
  EXPECT_FALSE(what_repeats(loop_of({read, write}, 3)));  // too seldom to tell
  const Trace looks = loop_of({read}, 10), writes = loop_of({read, write}, 10);
  ASSERT_TRUE(what_repeats(looks));
  EXPECT_EQ(what_repeats(looks)->effect, nullptr);
  ASSERT_TRUE(what_repeats(writes));
  const std::string text = text_of(*what_repeats(writes));
  EXPECT_NE(text.find("x.cpp:7"), std::string::npos) << text;
  EXPECT_NE(text.find("write n = 1 (x.cpp:8)"), std::string::npos) << text;
}

}  // namespace
}  // namespace heddle::findings
