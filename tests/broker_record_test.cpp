// What a job has that is not in the broker: outcomes as text, checkpoints, the audit.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/check.hpp"
#include "broker/record.hpp"

namespace heddle::broker {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::Pair;
using testing::SizeIs;
using testing::ThrowsMessage;

const std::string generation = first_generation("k");

TEST(BrokerRecordTest, IsReadAsItWasWritten) {
  for (const Outcome& outcome :
       {Outcome(Done{{{"runs", 12}, {"held", 0}}, "{\"a\":\n1}"}), Outcome(Done{}),
        Outcome(Split{{"[1]", "[2]"}}), Outcome(Failed{"it died\nbadly"})}) {
    const Record record{"host.1", outcome};
    EXPECT_EQ(parse_record(to_text(record, generation), generation), record);
  }
}

TEST(BrokerRecordTest, RefusesWhatIsNone) {
  const std::string split = to_text({"w", Split{{"[1]"}}}, generation);
  const std::vector<std::string> bad = {"",
                                        "done w",
                                        "done\n",
                                        "done  a=1\n",
                                        "done w a\n",
                                        "done w a=\n",
                                        "done w a=-1\n",
                                        "done w a=1 a=1\n",
                                        "done w A=1\n",
                                        "done w/ a=1\n",
                                        "done w a=9999999999999999\n",
                                        "failed w x\n",
                                        "other w\n",
                                        "split w\n",
                                        "split w 12\n[1]",
                                        split + "\n[2]",
                                        split + "x",
                                        "done w a=1\n\xff"};
  for (const std::string& text : bad)
    EXPECT_THROW(parse_record(text, generation), Malformed) << text;
  EXPECT_THROW(parse_record(split, next_generation(generation, "k")), Malformed);
}

TEST(BrokerRecordTest, OutcomesAreLimited) {
  EXPECT_THROW(check_outcome(Done{{}, std::string(most_record + 1, 'x')}), Error);
  EXPECT_THROW(check_outcome(Done{{{"Runs", 1}}, ""}), Error);
  EXPECT_THROW(check_outcome(Done{{{"runs", 1'000'000'000'000'000}}, ""}), Error);
  EXPECT_THROW(check_outcome(Split{{}}), Error);
  EXPECT_THROW(check_outcome(Split{{"a", "a"}}), Error);
  EXPECT_THROW(check_outcome(Split{{"a\nb"}}), Error);
  EXPECT_THROW(check_outcome(Split{{std::string(most_cube + 1, 'x')}}), Error);
  EXPECT_NO_THROW(check_outcome(Split{{std::string(most_cube, 'x'), "y"}}));
}

TEST(BrokerRecordTest, GenerationsAreNamedByWhatIsKnown) {
  EXPECT_THAT(first_generation("a"), testing::StartsWith("1-"));
  EXPECT_NE(first_generation("a"), first_generation("b"));
  EXPECT_THAT(next_generation(first_generation("a"), "b"), testing::StartsWith("2-"));
  EXPECT_NE(cube_name(generation, "[]"), cube_name(next_generation(generation, "k"), "[]"));
  EXPECT_THROW(next_generation("x", "b"), Malformed);
  EXPECT_TRUE(is_generation_of(next_generation(first_generation("a"), "b"), "b"));
  for (const char* bad : {"", "1", "1-", "x-y", "0-0"}) EXPECT_FALSE(is_generation_of(bad, "b"));
  EXPECT_FALSE(is_generation_of(first_generation("a"), "b"));
}

TEST(BrokerRecordTest, AnotherIdentityIsNamed) {
  const Identity job = {{"program", "12"}, {"options", "-x"}, {"algorithm", "optimal"}};
  EXPECT_NO_THROW(require_same(job, job));
  EXPECT_THAT([&] { require_same(job, {{"program", "34"}, {"options", "-x"}, {"libc", "2"}}); },
              ThrowsMessage<Misuse>(AllOf(
                  HasSubstr("program: the job has 12, this worker 34"),
                  HasSubstr("algorithm: the job has optimal, this worker none"),
                  HasSubstr("libc: the job has none, this worker 2"), Not(HasSubstr("options")))));
}

// The root in two, the second of which is in two again.
struct BrokerAuditTest : testing::Test {
  Checkpoint job{.identity = {{"a", "b"}},
                 .knowledge = "k",
                 .root = "[]",
                 .keep_going = true,
                 .generation = generation,
                 .findings = {{"key", "text", "w", "1-a"}}};
  Counts kept{{"runs", 30}, {".done", 3}, {".split", 2}};

  BrokerAuditTest() {
    set("[]", Split{{"[1]", "[2]"}});
    set("[2]", Split{{"[2,1]", "[2,2]"}});
    for (const char* cube : {"[1]", "[2,1]", "[2,2]"}) set(cube, Done{{{"runs", 10}}, ""});
  }
  void set(const std::string& cube, Outcome outcome) {
    job.done[cube_name(generation, cube)] = {"w", std::move(outcome)};
  }
  void remove(const std::string& cube) { job.done.erase(cube_name(generation, cube)); }
};

TEST_F(BrokerAuditTest, SumsUpWhatIsDone) {
  const Audit found = audit(job, &kept);
  EXPECT_TRUE(found.is_complete());
  EXPECT_THAT(found.counts, ElementsAre(Pair("runs", 30)));
  EXPECT_EQ(found.done, 3u);
  EXPECT_EQ(found.split, 2u);
}

TEST_F(BrokerAuditTest, NoticesMissingCubes) {
  remove("[2,1]");
  const Audit found = audit(job);
  EXPECT_FALSE(found.is_complete());
  ASSERT_THAT(found.open, SizeIs(1));
  EXPECT_EQ(found.open[0].cube, "[2,1]");
  EXPECT_EQ(found.open[0].parent, cube_name(generation, "[2]"));
  EXPECT_THAT(audit(job, &kept).problems, SizeIs(2));  // of runs and cubes
}

TEST_F(BrokerAuditTest, NoticesThatNothingIsDone) {
  job.done.clear();
  EXPECT_THAT(audit(job).open, SizeIs(1));
  EXPECT_FALSE(audit(job).is_complete());
}

TEST_F(BrokerAuditTest, NoticesCubesInTwoSplits) {
  set("[1]", Split{{"[2,1]"}});
  EXPECT_THAT(audit(job).problems, ElementsAre(HasSubstr("in two splits")));
}

TEST_F(BrokerAuditTest, NoticesOutcomesOfOtherCubes) {
  set("[3]", Done{});
  EXPECT_THAT(audit(job).strays, ElementsAre(cube_name(generation, "[3]")));
  EXPECT_FALSE(audit(job).is_complete());
}

TEST_F(BrokerAuditTest, NoticesFailures) {
  set("[1]", Failed{"died"});
  EXPECT_THAT(audit(job).failed, ElementsAre(Pair("[1]", "died")));
  EXPECT_FALSE(audit(job).is_complete());
}

TEST_F(BrokerAuditTest, NoticesWrongSums) {
  kept["runs"] = 31;
  EXPECT_THAT(audit(job, &kept).problems, ElementsAre(AllOf(HasSubstr("30"), HasSubstr("31"))));
  kept["runs"] = 30;
  kept["other"] = 1;
  EXPECT_THAT(audit(job, &kept).problems, SizeIs(1));
  kept.erase("other");
  kept.erase(".split");
  EXPECT_THAT(audit(job, &kept).problems, SizeIs(1));
}

TEST_F(BrokerAuditTest, CheckpointsAreReadAsTheyWereWritten) {
  const nlohmann::json json = nlohmann::json::parse(to_json(job).dump());
  EXPECT_EQ(parse_checkpoint(json), job);
}

TEST_F(BrokerAuditTest, OtherCheckpointsAreRefused) {
  const nlohmann::json good = to_json(job);
  EXPECT_THROW(parse_checkpoint(nlohmann::json()), Misuse);
  EXPECT_THROW(parse_checkpoint(nlohmann::json::array()), Misuse);
  for (const auto& [name, value] : good.items()) {
    nlohmann::json bad = good;
    bad.erase(name);
    EXPECT_THROW(parse_checkpoint(bad), Misuse) << name;
    bad[name] = nlohmann::json{{"x", 1.5}};
    EXPECT_THROW(parse_checkpoint(bad), Misuse) << name;
  }
  nlohmann::json other = good;
  other["knowledge"] = "k2";
  EXPECT_THROW(parse_checkpoint(other), Misuse);
  nlohmann::json more = good;
  more["more"] = 1;
  EXPECT_THROW(parse_checkpoint(more), Misuse);
}

}  // namespace
}  // namespace heddle::broker
