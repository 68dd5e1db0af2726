// Jobs, with a real broker: what dies, is repeated or is cut off changes nothing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "broker/job.hpp"
#include "broker/worker.hpp"
#include "broker_server.hpp"

namespace heddle::broker {
namespace {

using std::chrono::milliseconds;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using testing::SizeIs;
using testing::ThrowsMessage;
using testing::UnorderedElementsAre;

Checkpoint small_job() {
  return {.identity = {{"program", "abc"}, {"options", "--x"}},
          .knowledge = "k1",
          .root = "[]",
          .keep_going = false,
          .generation = {},
          .done = {},
          .findings = {}};
}

// Claims are lost almost at once.
Worker::Settings hasty() {
  Worker::Settings out;
  out.heartbeat = milliseconds(0);
  out.silence = milliseconds(1);
  out.waiting = milliseconds(10);
  return out;
}

// Claims of others are left alone.
Worker::Settings patient() {
  Worker::Settings out = hasty();
  out.silence = std::chrono::hours(1);
  return out;
}

struct BrokerJobTest : testing::Test {
  TestBroker broker;
  Client client{broker.address()};
};

TEST_F(BrokerJobTest, IsDoneWhenAllPartsAre) {
  Job job = Job::create(client, small_job(), "label");
  EXPECT_THAT(list_jobs(client), SizeIs(1));
  Client own(broker.address());
  Worker worker(own, job.name(), patient());
  auto claim = worker.claim();
  ASSERT_TRUE(claim);
  EXPECT_EQ(claim->cube, "[]");
  EXPECT_EQ(worker.finish(Split{{"[1]", "[2]"}}), Answer::accepted);
  EXPECT_EQ(worker.view().open, 2u);
  for (int k = 0; k < 2; ++k) {
    ASSERT_TRUE(worker.claim());
    EXPECT_EQ(worker.finish(Done{{{"runs", 5}}, "r"}), Answer::accepted);
  }
  EXPECT_FALSE(worker.claim());
  EXPECT_EQ(worker.view().state, State::done);
  const Audit audit = job.audit();
  EXPECT_TRUE(audit.is_complete()) << testing::PrintToString(audit.problems);
  EXPECT_THAT(audit.counts, ElementsAre(Pair("runs", 10)));
}

}  // namespace
}  // namespace heddle::broker
