// What callers must see to is checked: a broken promise is a bug in Heddle that is reported, and
// not a result that is wrong.
#include <gtest/gtest.h>

#include "base/random.hpp"
#include "fake_worker.hpp"
#include "native/reply.hpp"
#include "native/session.hpp"
#include "native/settings.hpp"

namespace heddle::native {
namespace {

class PromisesTest : public testing::Test {
 protected:
  SharedNames names;
  Knowledge knowledge;
  Decoder decoder{names, knowledge, abi::Races::report};
  TinyProgram program{names, 2, 3};
  FakeWorker worker{[this](const abi::RequestHeader& request, std::span<const Move> moves) {
    return Deed{program.reply(request, moves), std::nullopt};
  }};
};

TEST_F(PromisesTest, AnAnswerIsOwed) {
  Session session(worker, decoder, 1);
  EXPECT_THROW(session.next(), Bug);
  const Schedule schedule = {{1, 0}};
  session.submit({schedule, Request::Then::proceed, 0, 7}, abi::Then::proceed);
  EXPECT_EQ(session.next().reply.ticket, 7U);
  session.finish();
  EXPECT_THROW(session.next(), Bug);
}

TEST_F(PromisesTest, WhatIsKnownIsAPrefixOfTheSchedule) {
  Session session(worker, decoder, 1);
  const std::vector<Event> known(2);
  const Schedule schedule = {{1, 0}};
  EXPECT_THROW(session.submit({schedule, Request::Then::proceed, 0, 0, known}, abi::Then::proceed),
               Bug);
}

TEST_F(PromisesTest, SchedulesAreRepeatedAtSomeTime) {
  EXPECT_THROW(Session(worker, decoder, 0), Bug);
}

TEST_F(PromisesTest, StepsHaveNames) {
  EXPECT_NO_THROW(names.step(0));
  EXPECT_THROW(names.step(abi::dictionary_words - 1), Bug);
}

TEST(Promises, AReplyHasAHeader) {
  abi::ReplyHeader reply{};
  reply.bytes = sizeof reply - 8;
  EXPECT_THROW(ReplyReader{reply}, Bug);
  reply.bytes = sizeof reply;
  EXPECT_TRUE(ReplyReader{reply}.empty());
}

TEST(Promises, SettingsHaveRoom) {
  Options options;
  Knowledge knowledge;
  options.nondet.assign(std::size(abi::Settings().nondet), 1);
  EXPECT_NO_THROW(settings_of(options, knowledge));
  options.nondet.push_back(1);
  EXPECT_THROW(settings_of(options, knowledge), Bug);
}

TEST(Promises, RandomNumbersAreBelowSomething) { EXPECT_THROW(Random(1).below(0), Bug); }

TEST(KnowledgeTest, IncludesWhatItHasGrownFrom) {
  const Knowledge before;
  const auto grows = [&](auto learn) {
    Knowledge after;
    learn(after);
    return after.includes(before) && !before.includes(after);
  };
  EXPECT_TRUE(before.includes(before));
  EXPECT_TRUE(grows([](Knowledge& k) { ++k.threads; }));
  EXPECT_TRUE(grows([](Knowledge& k) { k.mixed.insert(1); }));
  EXPECT_TRUE(grows([](Knowledge& k) { k.visible.insert(1); }));
  EXPECT_TRUE(grows([](Knowledge& k) { k.semaphore_values = true; }));
  EXPECT_TRUE(grows([](Knowledge& k) { k.block_choices = true; }));
  EXPECT_TRUE(grows([](Knowledge& k) { k.pardoned[1] = {"tsan.supp:1", "race:f"}; }));
  EXPECT_TRUE(grows([](Knowledge& k) { k.benign.insert({1, 2}); }));
}

TEST(Serials, AreNeverNone) {
  EXPECT_EQ(serial_after(1), 2U);
  EXPECT_EQ(serial_after(~0U), 1U);
}

}  // namespace
}  // namespace heddle::native
