// A Session, and the NativeRunner on top of it, with a worker that dies, lies, diverges, comes late
// or answers twice: at any point, and without a process.
#include "native/session.hpp"

#include <gtest/gtest.h>

#include "core/algorithm.hpp"
#include "fake_worker.hpp"
#include "native/machine.hpp"
#include "native/runner.hpp"

namespace heddle::native {
namespace {

Fate killed_by(Witness::Cause cause) {
  Fate out;
  out.text = "killed";
  out.was_sent_signal = true;
  out.cause = cause;
  return out;
}
const Fate crash = {"crashed"};

class SessionTest : public testing::Test {
 protected:
  using Program = FakeWorker::Program;

  SharedNames names;
  Knowledge knowledge;
  Decoder decoder{names, knowledge, abi::Races::report};
  TinyProgram program{names, 2, 3};
  Program right = [this](const abi::RequestHeader& request, std::span<const Move> moves) {
    return Deed{program.reply(request, moves), std::nullopt};
  };
  Program wrong = right;  // what happens first
  unsigned wrongs = 0;    // how often
  unsigned made = 0;
  FakeWorker worker{[this](const abi::RequestHeader& request, std::span<const Move> moves) {
    return made++ < wrongs ? wrong(request, moves) : right(request, moves);
  }};
  static constexpr std::uint64_t never = 1U << 30;
  static constexpr unsigned always = ~0U;
  Session session{worker, decoder, never};
  const Schedule schedule = {{1, 0}, {0, 0}, {1, 0}};

  void SetUp() override {
    // The first schedule is always run twice: have that done with.
    session.submit({{}, Request::Then::proceed, 0, 0}, abi::Then::proceed);
    session.next();
    session.finish();
    made = 0;
    worker.sent.clear();
    worker.starts = 0;
  }
  void submit(const Schedule& moves, std::uint64_t ticket = 0, std::span<const Event> known = {}) {
    session.submit({moves, Request::Then::proceed, 0, ticket, known}, abi::Then::proceed);
  }
  std::vector<Event> events_of(const Session::Answer& answer) {
    DecodedRun run;
    decoder.decode(answer.reply, answer.known, run);
    return run.events;
  }
  std::vector<Event> next_events() { return events_of(session.next()); }
  Deed died(const abi::RequestHeader& request, std::span<const Move> moves, std::size_t after,
            Fate fate = crash) {
    return {std::nullopt, program.reply(request, moves, after), std::move(fate)};
  }
  void expect_moves(const std::vector<Event>& events, const Schedule& moves) {
    ASSERT_GE(events.size(), moves.size());
    for (std::size_t k = 0; k < moves.size(); ++k) EXPECT_EQ(events[k].move, moves[k]);
  }
};

TEST_F(SessionTest, AnswersInOrder) {
  const std::vector<Schedule> schedules = {{}, {{1, 0}}, {{1, 0}, {1, 0}}, {{0, 0}, {1, 0}}};
  for (std::size_t k = 0; k < schedules.size(); ++k) submit(schedules[k], k);
  for (std::size_t k = 0; k < schedules.size(); ++k) {
    const Session::Answer answer = session.next();
    EXPECT_EQ(answer.reply.ticket, k);
    expect_moves(events_of(answer), schedules[k]);
  }
  EXPECT_EQ(worker.in_flight(), 0U);
}

// The worker has room for fewer requests than are submitted: replies are kept meanwhile.
TEST_F(SessionTest, KeepsRepliesThatComeBeforeTheyAreAskedFor) {
  worker.room = 2;
  for (std::uint64_t k = 0; k < 20; ++k) submit(schedule, k);
  EXPECT_LE(worker.in_flight(), 2U);
  for (std::uint64_t k = 0; k < 20; ++k) EXPECT_EQ(session.next().reply.ticket, k);
}

TEST_F(SessionTest, DoesNotHaveSentWhatIsKnown) {
  submit(schedule);
  const std::vector<Event> all = next_events();
  submit(schedule, 0, std::span(all).first(3));
  EXPECT_EQ(worker.sent.back().known_count, 3U);
  const Session::Answer answer = session.next();
  EXPECT_EQ(answer.known.size(), 3U);
  EXPECT_EQ(answer.reply.bytes, sizeof(abi::ReplyHeader) + 3 * 8);
  EXPECT_EQ(events_of(answer), all);
}

TEST_F(SessionTest, AsksAgainWithNothingKnownIfItIsNotWhatHappens) {
  submit(schedule);
  const std::vector<Event> all = next_events();
  std::vector<Event> other = all;
  other[1].step = all[0].step;
  submit(schedule, 3, std::span(other).first(3));
  const Session::Answer answer = session.next();
  EXPECT_EQ(answer.reply.ticket, 3U);
  EXPECT_TRUE(answer.known.empty());
  EXPECT_EQ(worker.sent.back().known_count, 0U);
  EXPECT_EQ(events_of(answer), all);
}

TEST_F(SessionTest, RunsEveryNthScheduleTwice) {
  Session other(worker, decoder, 3);
  for (int k = 0; k < 7; ++k)
    other.submit({schedule, Request::Then::proceed, 0, 0}, abi::Then::proceed);
  EXPECT_EQ(worker.sent.size(), 7U + 3U);
  for (int k = 0; k < 7; ++k) other.next();
  other.finish();
  EXPECT_EQ(worker.in_flight(), 0U);
}

TEST_F(SessionTest, NoticesWhatIsNotTheSameTwice) {
  for (std::size_t k = 0; k < program.length(); ++k) {
    session.drain();
    session.repeat_next();
    made = 0;
    wrongs = 1;
    wrong = [&](const abi::RequestHeader& request, std::span<const Move> moves) {
      Words reply = program.reply(request, moves);
      auto* events = reinterpret_cast<abi::WireEvent*>(reply.data() + sizeof(abi::ReplyHeader) / 8);
      std::swap(events[k].step, events[(k + 1) % program.length()].step);
      return Deed{std::move(reply), std::nullopt};
    };
    submit(schedule);
    session.next();
    try {
      session.finish();
      FAIL() << k;
    } catch (const Nondeterminism& n) {
      EXPECT_EQ(n.step, k + 1 == program.length() ? 0 : k);
      EXPECT_EQ(n.schedule, schedule);
      EXPECT_NE(n.site, 0U);
    }
  }
}

TEST_F(SessionTest, NoticesAnOutcomeThatIsNotTheSameTwice) {
  session.repeat_next();
  wrongs = 1;
  wrong = [&](const abi::RequestHeader& request, std::span<const Move> moves) {
    Words reply = program.reply(request, moves);
    header_of(reply).notes = abi::note_outcome;
    return Deed{std::move(reply), std::nullopt};
  };
  submit(schedule);
  session.next();
  EXPECT_THROW(session.finish(), Nondeterminism);
}

// Wherever it dies, and whatever is in flight: an accident changes nothing.
TEST_F(SessionTest, MakesAgainWhatAnAccidentHit) {
  for (std::size_t at = 0; at <= program.length(); ++at)
    for (unsigned request = 0; request < 3; ++request) {
      made = 0;
      wrongs = request + 1;
      wrong = [&](const abi::RequestHeader& asked, std::span<const Move> moves) {
        return made == wrongs ? died(asked, moves, at) : right(asked, moves);
      };
      for (std::uint64_t k = 0; k < 4; ++k) submit(schedule, k);
      for (std::uint64_t k = 0; k < 4; ++k) {
        const Session::Answer answer = session.next();
        EXPECT_EQ(answer.reply.ticket, k);
        EXPECT_EQ(answer.death, nullptr);
        expect_moves(events_of(answer), schedule);
      }
    }
}

TEST_F(SessionTest, ADeathBeforeTheRunBeginsIsAnAccident) {
  wrongs = 10;
  wrong = [](const abi::RequestHeader&, std::span<const Move>) {
    return Deed{std::nullopt, std::nullopt, crash};
  };
  submit(schedule);
  EXPECT_EQ(session.next().death, nullptr);
  EXPECT_TRUE(std::ranges::is_sorted(worker.pauses));  // longer and longer
  EXPECT_EQ(worker.pauses.size(), 9U);
}

TEST_F(SessionTest, AnswersByADeathIfTheScheduleAlwaysDies) {
  for (std::size_t at = 0; at <= program.length(); ++at) {
    made = 0;
    worker.starts = 0;
    wrong = [&](const abi::RequestHeader& request, std::span<const Move> moves) {
      return request.ticket == 1 ? died(request, moves, at) : right(request, moves);
    };
    wrongs = always;
    worker.come = {1};
    for (std::uint64_t k = 0; k < 3; ++k) submit(schedule, k);
    EXPECT_EQ(session.next().death, nullptr);
    const Session::Answer answer = session.next();
    ASSERT_NE(answer.death, nullptr);
    EXPECT_EQ(answer.death->text, "crashed");
    EXPECT_EQ(answer.reply.finding, abi::Finding::died);
    EXPECT_EQ(answer.reply.ticket, 1U);
    EXPECT_EQ(answer.come.size(), 1U);
    EXPECT_EQ(events_of(answer).size(), at);
    EXPECT_EQ(worker.starts, 3U + 1U);  // three to be sure, one for the others
    EXPECT_EQ(session.next().death, nullptr);
  }
}

TEST_F(SessionTest, DeathsInDifferentWaysAreAccidents) {
  wrongs = 20;
  wrong = [&](const abi::RequestHeader& request, std::span<const Move> moves) {
    return died(request, moves, made % 3);
  };
  submit(schedule);
  EXPECT_EQ(session.next().death, nullptr);
}

TEST_F(SessionTest, ADeathThatOthersCausedIsAnAccidentHoweverOften) {
  wrongs = 50;
  wrong = [&](const abi::RequestHeader& request, std::span<const Move> moves) {
    return died(request, moves, 2, killed_by(Witness::Cause::others));
  };
  submit(schedule);
  EXPECT_EQ(session.next().death, nullptr);
  EXPECT_GT(worker.traced, 40U);
}

TEST_F(SessionTest, IfTheCauseIsNotKnownItTakesMoreDeathsToBelieveThem) {
  wrong = [&](const abi::RequestHeader& request, std::span<const Move> moves) {
    return died(request, moves, 2, killed_by(Witness::Cause::unknown));
  };
  wrongs = 29;
  submit(schedule);
  EXPECT_EQ(session.next().death, nullptr);
  made = 0;
  wrongs = always;
  submit(schedule);
  EXPECT_NE(session.next().death, nullptr);
  EXPECT_EQ(made, 1U + 30U);
}

TEST_F(SessionTest, BelievesAHangAtOnce) {
  wrongs = always;
  wrong = [&](const abi::RequestHeader& request, std::span<const Move> moves) {
    Fate fate{"hangs"};
    fate.took_too_long = true;
    return died(request, moves, 2, fate);
  };
  submit(schedule);
  const Session::Answer answer = session.next();
  ASSERT_NE(answer.death, nullptr);
  EXPECT_EQ(made, 1U);
  EXPECT_EQ(events_of(answer).size(), 2U);
}

TEST_F(SessionTest, ADeathTheSecondTimeOnlyIsNondeterminism) {
  session.repeat_next();
  submit(schedule);
  session.next();
  wrongs = always;
  wrong = [&](const abi::RequestHeader& request, std::span<const Move> moves) {
    return died(request, moves, 4);
  };
  try {
    session.finish();
    FAIL();
  } catch (const Nondeterminism& n) {
    EXPECT_EQ(n.step, 4U);
  }
}

TEST_F(SessionTest, StopsBetweenTwoAttempts) {
  wrongs = always;
  wrong = [&](const abi::RequestHeader& request, std::span<const Move> moves) {
    return died(request, moves, made % 3);
  };
  submit(schedule);
  worker.interrupt = true;
  EXPECT_THROW(session.next(), Interrupted);
  EXPECT_EQ(worker.in_flight(), 0U);
}

// Each field that can be wrong, once: the worker is not believed, and the run is made again.
TEST_F(SessionTest, DoesNotBelieveALie) {
  using Lie = void (*)(abi::ReplyHeader&);
  constexpr Lie lies[] = {
      [](abi::ReplyHeader& r) { ++r.serial; },
      [](abi::ReplyHeader& r) { ++r.ticket; },
      [](abi::ReplyHeader& r) { r.ending = static_cast<abi::Ending>(99); },
      [](abi::ReplyHeader& r) { r.finding = static_cast<abi::Finding>(99); },
      [](abi::ReplyHeader& r) { r.event_count = 1'000'000; },
      [](abi::ReplyHeader& r) { r.threads = 65; },
      [](abi::ReplyHeader& r) { r.race_count = 1; },
      [](abi::ReplyHeader& r) { r.detail_bytes = ~0U; },
  };
  for (const Lie& lie : lies) {
    made = 0;
    wrongs = 1;
    worker.condemned = 0;
    wrong = [&](const abi::RequestHeader& request, std::span<const Move> moves) {
      Words reply = program.reply(request, moves);
      lie(header_of(reply));
      return Deed{std::move(reply), std::nullopt};
    };
    submit(schedule, 1);
    submit(schedule, 2);
    const Session::Answer answer = session.next();
    EXPECT_EQ(answer.death, nullptr);
    expect_moves(events_of(answer), schedule);
    EXPECT_EQ(session.next().reply.ticket, 2U);
    EXPECT_EQ(worker.condemned, 1U);
  }
}

TEST_F(SessionTest, ALiarForEverIsADeath) {
  wrongs = always;
  wrong = [&](const abi::RequestHeader& request, std::span<const Move> moves) {
    Words reply = program.reply(request, moves);
    header_of(reply).threads = 99;
    return Deed{std::move(reply), std::nullopt};
  };
  submit(schedule);
  const Session::Answer answer = session.next();
  ASSERT_NE(answer.death, nullptr);
  EXPECT_TRUE(answer.death->overwrote);
  EXPECT_EQ(answer.reply.event_count, 0U);
}

// The second answer to a request is not the one to the next.
TEST_F(SessionTest, DoesNotBelieveASecondAnswer) {
  wrongs = 2;
  Words first;
  wrong = [&](const abi::RequestHeader& request, std::span<const Move> moves) {
    if (first.empty()) first = program.reply(request, moves);
    return Deed{first, std::nullopt};
  };
  submit({{0, 0}}, 1);
  submit({{1, 0}}, 1);  // the same ticket, another request
  expect_moves(next_events(), {{0, 0}});
  expect_moves(next_events(), {{1, 0}});
  EXPECT_EQ(worker.condemned, 1U);
}

TEST_F(SessionTest, RunsAloneDropsWhatIsInFlight) {
  for (std::uint64_t k = 0; k < 5; ++k) submit({}, 10 + k);
  worker.come = {1};
  const Session::Answer answer = session.run_alone(schedule, abi::Then::explain);
  expect_moves(events_of(answer), schedule);
  EXPECT_EQ(worker.sent.back().then, abi::Then::explain);
  EXPECT_EQ(worker.in_flight(), 0U);
  EXPECT_EQ(answer.come.size(), 1U);
}

TEST_F(SessionTest, DrainsAWorkerThatDies) {
  wrongs = always;
  wrong = [&](const abi::RequestHeader& request, std::span<const Move> moves) {
    return died(request, moves, 1);
  };
  for (int k = 0; k < 5; ++k) submit(schedule);
  session.drain();
  EXPECT_EQ(worker.in_flight(), 0U);
  wrongs = 0;
  submit(schedule);
  expect_moves(next_events(), schedule);
}

TEST_F(SessionTest, TwoSessionsShareADecoder) {
  FakeWorker second(right);
  Session other(second, decoder, never);
  submit(schedule);
  other.submit({schedule, Request::Then::proceed, 0, 0}, abi::Then::proceed);
  const std::vector<Event> events = next_events();
  EXPECT_EQ(events_of(other.next()), events);
  // What one has decoded need not be sent by the worker of the other.
  other.finish();
  other.submit({schedule, Request::Then::proceed, 0, 0, std::span(events).first(2)},
               abi::Then::proceed);
  const Session::Answer answer = other.next();
  EXPECT_EQ(answer.known.size(), 2U);
  EXPECT_EQ(events_of(answer), events);
}

// An exploration with a worker that does what it should not, now and then: the count is the same.
class UnreliableWorker : public testing::TestWithParam<unsigned> {};

TEST_P(UnreliableWorker, ChangesNothing) {
  const unsigned kind = GetParam();
  SharedNames names;
  Knowledge knowledge;
  knowledge.threads = 3;
  TinyProgram program(names, 3, 2);
  unsigned made = 0;
  FakeWorker worker([&](const abi::RequestHeader& request, std::span<const Move> moves) {
    Words reply = program.reply(request, moves);
    const bool wrong = ++made % 7 == 0;
    if (kind == 1 && wrong)
      return Deed{std::nullopt, program.reply(request, moves, made % 5), crash};
    if (kind == 2 && wrong) header_of(reply).event_count += 1;
    if (kind == 3 && wrong) header_of(reply).serial -= 1;
    return Deed{std::move(reply), std::nullopt};
  });
  if (kind == 4) worker.room = 1;
  NativeRunner runner(worker, names, knowledge, abi::Races::report, kind == 5 ? 1 : 1024);
  NativeMachine machine(runner);
  const Result result = find_algorithm("optimal")->explore({runner, machine}, {});
  EXPECT_TRUE(result.complete);
  EXPECT_EQ(result.counts.executions, 90U);  // 6! / 2!^3
}
std::string name_of_kind(const testing::TestParamInfo<unsigned>& kind) {
  constexpr const char* names[] = {"Reliable",   "Dies",          "Lies",
                                   "AnswersOld", "HasLittleRoom", "IsAskedTwice"};
  return names[kind.param];
}
INSTANTIATE_TEST_SUITE_P(Kinds, UnreliableWorker, testing::Range(0U, 6U), name_of_kind);

}  // namespace
}  // namespace heddle::native
