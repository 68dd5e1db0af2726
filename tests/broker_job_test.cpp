// Jobs, with a real broker: workers that die, are slow or learn something.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "broker/job.hpp"
#include "broker/worker.hpp"
#include "broker_server.hpp"

namespace heddle::broker {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using testing::SizeIs;
using testing::ThrowsMessage;

// A worker with its connection.
struct TestWorker : Client, Worker {
  TestWorker(const TestBroker& broker, const Job& job, const Worker::Settings& settings)
      : Client(broker.address()), Worker(static_cast<Client&>(*this), job.name(), settings) {}
};

struct BrokerJobTest : testing::Test {
  TestBroker broker;
  Client client{broker.address()};
  Job job = Job::create(client, small_job(), "label");

  // Two workers that have the same cube, the root.
  TestWorker first{broker, job, patient()}, second{broker, job, hasty()};
  void both_claim() {
    ASSERT_TRUE(first.claim());
    ASSERT_TRUE(second.claim());
  }
  Counts sums() { return job.audit().counts; }
  std::string generation() { return job.info().generation; }
};

TEST_F(BrokerJobTest, IsDoneWhenAllPartsAre) {
  const auto claim = first.claim();
  ASSERT_TRUE(claim);
  EXPECT_EQ(claim->cube, "[]");
  EXPECT_EQ(claim->generation, first_generation("k1"));
  EXPECT_EQ(claim->delivery, 1u);
  EXPECT_EQ(first.finish(Split{{"[1]", "[2]"}}), Answer::accepted);
  EXPECT_EQ(first.view().open, 2u);
  for (int k = 0; k < 2; ++k) {
    ASSERT_TRUE(first.claim());
    EXPECT_FALSE(job.audit().is_complete());
    EXPECT_EQ(first.finish(Done{{{"runs", 5}}, "r"}), Answer::accepted);
  }
  EXPECT_FALSE(first.claim());
  EXPECT_EQ(first.view().state, State::done);
  const Audit audit = job.audit();
  EXPECT_TRUE(audit.is_complete()) << testing::PrintToString(audit.problems);
  EXPECT_THAT(audit.counts, ElementsAre(Pair("runs", 10)));
}

TEST_F(BrokerJobTest, IsFoundByItsLabelAndReadAsItWasCreated) {
  ASSERT_THAT(list_jobs(client), SizeIs(1));
  EXPECT_EQ(list_jobs(client)[0].job, job.name());
  EXPECT_EQ(list_jobs(client)[0].label, "label");
  const JobInfo info = job.info();
  EXPECT_EQ(info.identity, small_job().identity);
  EXPECT_EQ(info.knowledge, "k1");
  EXPECT_EQ(info.state, State::running);
  job.remove();
  EXPECT_THAT(list_jobs(client), IsEmpty());
  EXPECT_THROW(job.info(), Misuse);
  EXPECT_FALSE(first.claim());
  EXPECT_EQ(first.view().state, State::gone);
  EXPECT_THROW(Job(client, "a b"), Misuse);
}

TEST_F(BrokerJobTest, WhatIsNotUnderstoodIsRefused) {
  client.one({"HSET", Keys(job.name()).job, "colour", "red"});
  EXPECT_THAT([&] { job.info(); }, ThrowsMessage<Malformed>(HasSubstr("unknown field 'colour'")));
  client.one({"HDEL", Keys(job.name()).job, "colour"});
  client.one({"HSET", Keys(job.name()).job, "cube", "[1]"});
  EXPECT_THROW(job.info(), Malformed);
  client.one({"HSET", Keys(job.name()).job, "cube", "[]", "knowledge", "k2"});
  EXPECT_THAT([&] { job.info(); }, ThrowsMessage<Malformed>(HasSubstr("other knowledge")));
  client.one({"HSET", Keys(job.name()).job, "version", "2"});
  EXPECT_THAT([&] { job.info(); }, ThrowsMessage<Malformed>(HasSubstr("another version")));
}

TEST_F(BrokerJobTest, CubesThatAreNotUnderstoodAreRefused) {
  client.one({"XTRIM", Keys(job.name()).cubes, "MAXLEN", "0"});
  const std::string name = cube_name(generation(), "[]");
  client.one({"XADD", Keys(job.name()).cubes, "*", "id", name, "parent", "", "generation",
              generation(), "cubes", "[]"});
  EXPECT_THAT([&] { first.claim(); }, ThrowsMessage<Malformed>(HasSubstr("unknown field")));
  client.one({"XTRIM", Keys(job.name()).cubes, "MAXLEN", "0"});
  client.one({"XADD", Keys(job.name()).cubes, "*", "id", name, "parent", "", "generation",
              generation(), "cube", "[1]"});
  EXPECT_THAT([&] { first.claim(); }, ThrowsMessage<Malformed>(HasSubstr("not what it is named")));
}

TEST_F(BrokerJobTest, ClaimsOfTheDeadAreTaken) {
  ASSERT_TRUE(first.claim());
  const auto again = second.claim();
  ASSERT_TRUE(again);
  EXPECT_EQ(again->cube, "[]");
  EXPECT_EQ(again->delivery, 2u);
}

// After the network was away, the holders of claims have to have time to return.
TEST_F(BrokerJobTest, ClaimsAreNotTakenAsSoonAsThereIsAConnection) {
  const auto claim = first.claim();
  ASSERT_TRUE(claim);
  const auto long_ago = std::to_string(std::chrono::milliseconds(std::chrono::hours(2)).count());
  client.one({"XCLAIM", Keys(job.name()).cubes, "workers", first.name(), "0", claim->entry, "IDLE",
              long_ago, "JUSTID"});
  Client::Settings settings;
  int asked = 0;
  settings.is_interrupted = [&] { return ++asked > 2; };
  Client other(broker.address(), settings);
  Worker hungry(other, job.name(), patient());
  EXPECT_FALSE(hungry.claim());
  EXPECT_TRUE(second.claim());
}

TEST_F(BrokerJobTest, TheFirstOutcomeCounts) {
  both_claim();
  EXPECT_EQ(first.finish(Done{{{"runs", 5}}, ""}), Answer::accepted);
  EXPECT_EQ(second.finish(Done{{{"runs", 7}}, ""}), Answer::known);
  EXPECT_THAT(sums(), ElementsAre(Pair("runs", 5)));
  EXPECT_TRUE(job.audit().is_complete());
}

TEST_F(BrokerJobTest, ASplitThatIsLateHasNoParts) {
  both_claim();
  EXPECT_EQ(first.finish(Split{{"[1]", "[2]"}}), Answer::accepted);
  EXPECT_EQ(second.finish(Split{{"[3]", "[4]", "[5]"}}), Answer::known);
  EXPECT_EQ(second.view().open, 2u);
  EXPECT_EQ(client.one({"XLEN", Keys(job.name()).cubes}).number(), 2);
  // Nor if they were on offer.
  client.one({"XADD", Keys(job.name()).cubes, "*", "id", cube_name(generation(), "[3]"), "parent",
              cube_name(generation(), "[]"), "generation", generation(), "cube", "[3]"});
  for (int k = 0; k < 2; ++k) {
    ASSERT_TRUE(first.claim());
    EXPECT_EQ(first.finish(Done{}), Answer::accepted);
  }
  EXPECT_FALSE(first.claim());
  EXPECT_TRUE(job.audit().is_complete());
}

TEST_F(BrokerJobTest, AnOrphanIsDropped) {
  ASSERT_TRUE(first.claim());
  EXPECT_EQ(first.finish(Split{{"[1]"}}), Answer::accepted);
  ASSERT_TRUE(first.claim());
  // The broker forgets the split of which it was a part.
  client.one({"HDEL", Keys(job.name()).done, cube_name(generation(), "[]")});
  EXPECT_EQ(first.finish(Done{{{"runs", 5}}, ""}), Answer::obsolete);
  EXPECT_EQ(client.one({"HLEN", Keys(job.name()).done}).number(), 0);
}

TEST_F(BrokerJobTest, AnEntryOfAnotherCubeIsLeftAlone) {
  const auto claim = first.claim();
  ASSERT_TRUE(claim);
  // As if the broker had been restored, and gave the same number to another cube.
  const Keys keys(job.name());
  client.one({"DEL", keys.cubes});
  client.one({"XADD", keys.cubes, claim->entry, "id", "other", "parent", "", "generation", "x",
              "cube", "[9]"});
  client.one({"XGROUP", "CREATE", keys.cubes, "workers", "0"});
  EXPECT_EQ(first.finish(Done{}), Answer::accepted);
  EXPECT_EQ(client.one({"XLEN", keys.cubes}).number(), 1);
}

TEST_F(BrokerJobTest, ACubeThatKillsItsWorkersHasFailed) {
  ASSERT_TRUE(first.claim());
  for (unsigned k = 2; k <= 3; ++k) {
    TestWorker next(broker, job, hasty());
    const auto claim = next.claim();
    ASSERT_TRUE(claim);
    EXPECT_EQ(claim->delivery, k);
  }
  EXPECT_FALSE(second.claim());
  EXPECT_EQ(second.view().state, State::done);
  const Audit audit = job.audit();
  EXPECT_FALSE(audit.is_complete());
  EXPECT_THAT(audit.failed, ElementsAre(Pair("[]", HasSubstr("3 times without a result"))));
  EXPECT_THAT(audit.problems, IsEmpty());
  EXPECT_EQ(first.finish(Done{}), Answer::known);
}

TEST_F(BrokerJobTest, AWorkerMaySayThatACubeFailed) {
  ASSERT_TRUE(first.claim());
  EXPECT_EQ(first.finish(Failed{"the engine died"}), Answer::accepted);
  EXPECT_THAT(job.audit().failed, ElementsAre(Pair("[]", "the engine died")));
}

TEST_F(BrokerJobTest, LooksKeepAClaim) {
  ASSERT_TRUE(first.claim());
  const auto idle = [&] {
    const Value claims = client.one({"XPENDING", Keys(job.name()).cubes, "workers", "-", "+", "1"});
    EXPECT_EQ(claims.list(1)[0].list(4)[1].text(), first.name());
    EXPECT_EQ(claims.list()[0].list()[3].number(), 1);  // deliveries
    return claims.list()[0].list()[2].number();
  };
  constexpr std::int64_t a_while = 50;
  wait_until([&] { return idle() > a_while; });
  wait_until([&] {  // another attempt, if this process is interrupted in between
    EXPECT_TRUE(first.look("progress").is_wanted);
    return idle() < a_while;
  });
  const Status status = job.status();
  ASSERT_THAT(status.workers, SizeIs(1));
  EXPECT_EQ(status.workers[0].worker, first.name());
  EXPECT_EQ(status.workers[0].heartbeat, "progress");
}

TEST_F(BrokerJobTest, LooksDoNotTakeAClaimBack) {
  both_claim();
  EXPECT_TRUE(first.look("").is_wanted);
  const Value claims = client.one({"XPENDING", Keys(job.name()).cubes, "workers", "-", "+", "1"});
  EXPECT_EQ(claims.list(1)[0].list(4)[1].text(), second.name());
  EXPECT_EQ(second.finish(Done{}), Answer::accepted);
  EXPECT_FALSE(first.look("").is_wanted);
  EXPECT_FALSE(first.claim());
}

TEST_F(BrokerJobTest, WorkersThatAreGoneAreForgottenAndTheirClaimsAreNot) {
  const Keys keys(job.name());
  const auto names = [&] {
    std::vector<std::string> out;
    const Value all = client.one({"XINFO", "CONSUMERS", keys.cubes, "workers"});
    for (const Value& one : all.list()) out.push_back(one.list().at(1).text());
    return out;
  };
  ASSERT_TRUE(first.claim());
  client.one({"ZADD", keys.workers, "0", first.name()});
  client.one({"XGROUP", "CREATECONSUMER", keys.cubes, "workers", "idle"});
  client.one({"ZADD", keys.workers, "0", "idle"});
  const auto claim = second.claim();
  ASSERT_TRUE(claim);
  EXPECT_EQ(claim->delivery, 2u);
  EXPECT_THAT(names(), testing::Not(testing::Contains("idle")));
}

TEST_F(BrokerJobTest, HungryWorkersAreCounted) {
  ASSERT_TRUE(first.claim());
  EXPECT_EQ(first.look("").hungry, 0u);
  Client::Settings settings;
  int asked = 0;
  settings.is_interrupted = [&] { return ++asked > 2; };
  Client other(broker.address(), settings);
  Worker hungry(other, job.name(), patient());
  EXPECT_FALSE(hungry.claim());
  EXPECT_EQ(first.look("").hungry, 1u);
  EXPECT_EQ(first.look("").workers, 2u);
  EXPECT_EQ(job.status(std::chrono::hours(1)).hungry, 1u);
  hungry.leave();
  EXPECT_EQ(first.look("").hungry, 0u);
  EXPECT_EQ(first.look("").workers, 1u);
}

TEST_F(BrokerJobTest, WhatAWorkerLeavesIsOnOfferAtOnce) {
  ASSERT_TRUE(first.claim());
  first.leave();
  TestWorker next(broker, job, patient());
  const auto claim = next.claim();
  ASSERT_TRUE(claim);
  EXPECT_EQ(claim->delivery, 1u);
  first.leave();
  EXPECT_EQ(next.finish(Done{}), Answer::accepted);
  EXPECT_EQ(next.view().state, State::done);
}

TEST_F(BrokerJobTest, WhatIsLearnedStartsItOver) {
  ASSERT_TRUE(first.claim());
  EXPECT_EQ(first.finish(Split{{"[1]", "[2]"}}), Answer::accepted);
  ASSERT_TRUE(first.claim());
  EXPECT_EQ(first.finish(Done{{{"runs", 5}}, ""}), Answer::accepted);
  ASSERT_TRUE(first.claim());
  const std::string old = generation();
  EXPECT_TRUE(second.renew(old, "k2"));
  EXPECT_FALSE(second.renew(old, "k3"));
  EXPECT_EQ(job.info().knowledge, "k2");
  EXPECT_FALSE(first.look("").is_wanted);
  EXPECT_EQ(first.finish(Done{{{"runs", 5}}, ""}), Answer::obsolete);
  EXPECT_EQ(first.view().open, 1u);
  const auto root = first.claim();
  ASSERT_TRUE(root);
  EXPECT_EQ(root->cube, "[]");
  EXPECT_EQ(root->generation, next_generation(old, "k2"));
  EXPECT_EQ(first.finish(Done{{{"runs", 9}}, ""}), Answer::accepted);
  EXPECT_THAT(sums(), ElementsAre(Pair("runs", 9)));
  EXPECT_TRUE(job.audit().is_complete());
}

TEST_F(BrokerJobTest, AFindingEndsIt) {
  ASSERT_TRUE(first.claim());
  EXPECT_TRUE(first.report("data race at 5", "{}"));
  EXPECT_FALSE(second.report("data race at 5", "{1}"));
  EXPECT_EQ(first.view().state, State::found);
  EXPECT_FALSE(second.claim());
  ASSERT_THAT(job.findings(), SizeIs(1));
  EXPECT_EQ(job.findings()[0].text, "{}");
  EXPECT_EQ(job.findings()[0].worker, first.name());
  EXPECT_EQ(first.finish(Done{}), Answer::accepted);
  EXPECT_EQ(job.status().state, State::found);
  EXPECT_EQ(job.status().findings, 1u);
}

TEST_F(BrokerJobTest, ItCanKeepGoing) {
  Checkpoint other = small_job();
  other.keep_going = true;
  Job going = Job::create(client, other, "");
  TestWorker worker(broker, going, patient());
  ASSERT_TRUE(worker.claim());
  for (std::size_t k = 0; k < most_findings + 10; ++k)
    EXPECT_EQ(worker.report(std::to_string(k), "{}"), k < most_findings);
  EXPECT_EQ(worker.view().state, State::running);
  EXPECT_THAT(going.findings(), SizeIs(most_findings));
}

TEST_F(BrokerJobTest, ItCanBeStopped) {
  ASSERT_TRUE(first.claim());
  EXPECT_EQ(first.finish(Split{{"[1]", "[2]"}}), Answer::accepted);
  ASSERT_TRUE(first.claim());
  job.stop();
  EXPECT_EQ(first.look("").state, State::stopped);
  EXPECT_EQ(first.finish(Done{{{"runs", 1}}, ""}), Answer::accepted);
  EXPECT_FALSE(first.claim());
  EXPECT_THAT(job.audit().open, SizeIs(1));
}

// The cube arrives while a worker waits for it, and just then the job is stopped.
TEST_F(BrokerJobTest, WhenItIsStoppedNothingMoreIsGivenOut) {
  ASSERT_TRUE(second.claim());
  Worker::Settings settings = patient();
  settings.waiting = std::chrono::hours(1);
  TestWorker third(broker, job, settings);
  std::thread waiting([&] { EXPECT_FALSE(third.claim()); });
  wait_until([&] { return job.status(std::chrono::hours(1)).hungry == 1; });
  client.one({"HSET", Keys(job.name()).job, "state", "stopped"});
  second.leave();
  waiting.join();
  EXPECT_EQ(job.audit().open.size(), 1u);
  EXPECT_FALSE(job.status().is_damaged);
  const Value claims = client.one({"XPENDING", Keys(job.name()).cubes, "workers"});
  EXPECT_EQ(claims.list().at(0).number(), 0);
}

TEST_F(BrokerJobTest, ACheckpointIsAJobAgain) {
  ASSERT_TRUE(first.claim());
  EXPECT_EQ(first.finish(Split{{"[1]", "[2]", "[3]"}}), Answer::accepted);
  ASSERT_TRUE(first.claim());
  EXPECT_EQ(first.finish(Done{{{"runs", 5}}, "r"}), Answer::accepted);
  ASSERT_TRUE(first.claim());
  EXPECT_EQ(first.finish(Failed{"died"}), Answer::accepted);
  Checkpoint saved = parse_checkpoint(to_json(job.checkpoint()));
  EXPECT_EQ(saved, job.checkpoint());
  saved.done["stray"] = {"w", Done{}};  // whose parent was not copied
  const TestBroker elsewhere;
  Client there(elsewhere.address());
  Job again = Job::create(there, saved, "label");
  TestWorker worker(elsewhere, again, patient());
  for (const char* cube : {"[3]", "[2]"}) {
    const auto claim = worker.claim();
    ASSERT_TRUE(claim);
    EXPECT_THAT(claim->cube, testing::AnyOf(cube, "[2]", "[3]"));
    EXPECT_EQ(worker.finish(Done{{{"runs", 1}}, ""}), Answer::accepted);
  }
  EXPECT_FALSE(worker.claim());
  EXPECT_TRUE(again.audit().is_complete());
  EXPECT_THAT(again.audit().counts, ElementsAre(Pair("runs", 7)));
}

TEST_F(BrokerJobTest, TheAuditNoticesWhatTheBrokerLost) {
  ASSERT_TRUE(first.claim());
  EXPECT_EQ(first.finish(Split{{"[1]", "[2]"}}), Answer::accepted);
  for (int k = 0; k < 2; ++k) {
    ASSERT_TRUE(first.claim());
    EXPECT_EQ(first.finish(Done{{{"runs", 5}}, ""}), Answer::accepted);
  }
  ASSERT_TRUE(job.audit().is_complete());
  const Keys keys(job.name());
  const std::string name = cube_name(generation(), "[1]");
  const std::string was = client.one({"HGET", keys.done, name}).text();
  client.one({"HSET", keys.done, name, "done w runs=6\n"});
  EXPECT_FALSE(job.audit().is_complete());
  client.one({"HDEL", keys.done, name});
  EXPECT_THAT(job.audit().open, SizeIs(1));
  client.one({"HSET", keys.done, name, was});
  client.one({"HSET", keys.done, cube_name(generation(), "[3]"), was});
  EXPECT_THAT(job.audit().strays, SizeIs(1));
  client.one({"HSET", keys.done, name, "done"});
  EXPECT_THROW(job.audit(), Malformed);
}

}  // namespace
}  // namespace heddle::broker
