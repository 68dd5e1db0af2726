// What each instruction of a model program does, step by step.
#include "interp/machine.hpp"

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "base/check.hpp"
#include "base/random.hpp"
#include "interp/random_program.hpp"
#include "interp/runner.hpp"
#include "interp/text.hpp"

namespace heddle::interp {
namespace {

// Follows a script, word by word:
//   p  p=lock  p=unlock+wait   p goes; with these accesses
//   p!lock  p#ended  p?        p waits, for this; it has ended, failed or stopped; it can continue
//   x:7                        that is what x holds
class Play {
 public:
  explicit Play(const std::string& program) : machine_(parse_program(program)) {}

  Play& follow(const std::string& script) {
    std::istringstream words(script);
    for (std::string word; words >> word;) {
      SCOPED_TRACE("at " + word + " of: " + script);
      const std::size_t sign = word.find_first_of("=!#?:");
      const std::string name = word.substr(0, sign);
      if (sign == std::string::npos)
        go(name);
      else
        expect(name, word[sign], word.substr(sign + 1));
    }
    return *this;
  }
  ModelMachine& machine() { return machine_; }
  const Event& last() const { return last_; }

 private:
  ThreadId number(const std::string& name) const {
    ThreadId t = 0;
    for (const Thread& thread : machine_.program().threads) {
      if (thread.name == name) return t;
      ++t;
    }
    throw Misuse("there is no thread " + name);
  }
  std::string why_not(const std::string& thread) { return machine_.why_not({number(thread), 0}); }

  void go(const std::string& thread) {
    if (const std::string why = why_not(thread); !why.empty()) throw Misuse(why);
    last_ = machine_.step({number(thread), 0});
  }
  void expect(const std::string& name, char what, const std::string& rest) {
    if (what == '=') {
      go(name);
      EXPECT_EQ(modes(), rest);
    } else if (what == '!') {
      EXPECT_EQ(why_not(name), "thread " + name + " is blocked: " + rest);
    } else if (what == '?') {
      EXPECT_EQ(why_not(name), "");
    } else if (what == ':') {
      EXPECT_EQ(std::to_string(value(name)), rest);
    } else {
      const std::string state =
          rest == "stopped" ? " stopped at an assumption that does not hold" : " has " + rest;
      EXPECT_EQ(why_not(name), "thread " + name + state);
    }
  }
  std::string modes() const {
    std::string out;
    for (const Access& a : machine_.footprints().accesses(last_.footprint))
      out += (out.empty() ? "" : "+") + std::string(name_of(a.mode));
    return out.empty() ? "nothing" : out;
  }
  std::int64_t value(const std::string& name) const {
    std::vector<std::int64_t> control, memory;
    machine_.describe(control, memory);
    for (std::size_t o = 0; o < memory.size(); ++o)
      if (machine_.program().objects[o].name == name) return memory[o];
    throw Misuse("there is no variable " + name);
  }

  ModelMachine machine_;
  Event last_;
};

struct State {
  std::vector<std::int64_t> control, memory;
  std::vector<Move> enabled;
  std::uint64_t final_state, observed;
  friend bool operator==(const State&, const State&) = default;
};

State state(const ModelMachine& machine) {
  State s{{}, {}, {}, machine.final_state(), machine.observed()};
  machine.describe(s.control, s.memory);
  machine.enabled(s.enabled);
  return s;
}

Ending ending_after(const std::string& program, const std::string& script) {
  return Play(program).follow(script).machine().ending();
}
bool finds(const std::string& program, const std::string& script) {
  return Play(program).follow(script).machine().finding();
}

// --- memory

TEST(Machine, ReadsAndWrites) {
  const char* program =
      "var x = 5\nvar a\n"
      "thread p: $0 = x; a = $0+2; $1 = (x < 5); a = $1; $1 = (x <= 5); a = $1\n";
  EXPECT_EQ(ending_after(program, "x:5 a:0 p=read a:0 p=write a:7 p=read p a:0 p p a:1 p#ended"),
            Ending::complete);
}

TEST(Machine, UpdatesInOneStep) {
  Play(
      "var x = 5\nvar a\nthread p: x += 2; $0 = fetch_add x 3; a = $0; $0 = exchange x 1; a = $0\n")
      .follow("p=add x:7 p=update x:10 p a:7 p=update x:1 p a:10");
}

TEST(Machine, CompareAndSwapIsAReadIfItFails) {
  Play play("var x = 5\nvar a = 9\nthread p: $0 = cas x 4 6; a = $0; $0 = cas x 5 6; a = $0\n");
  play.follow("p=read x:5");
  EXPECT_EQ(play.machine().footprints().varies(play.last().footprint), Varies::mode);
  play.follow("p a:0 p=update x:6 p a:1");
}

TEST(Machine, ArraysAreIndexedByRegisters) {
  const auto at = [](const char* index) {
    return "array a 3 = 4\nthread p: $0 := " + std::string(index) +
           "; a[$0] = 7; $1 = a[2]; a[0] = $1; fence\n";
  };
  EXPECT_FALSE(finds(at("0"), "p=write a:7 p p a:4 p"));
  EXPECT_FALSE(finds(at("2"), "p=write a:4 p p a:7 p"));
  for (const char* outside : {"3", "-1", "1000000"})
    EXPECT_TRUE(finds(at(outside), "p=nothing p#failed"));
}

TEST(Machine, HeapMustBeAllocated) {
  const auto program = [](const std::string& code) {
    return "heap h\nthread p: " + code + "; fence\n";
  };
  EXPECT_FALSE(finds(program("alloc h; h = 3"), "p=alloc p=write h:3 p"));
  EXPECT_FALSE(finds(program("alloc h; h = 3; alloc h"), "p p p h:0 p"));
  EXPECT_FALSE(finds(program("alloc h; h = 3; free h; alloc h; $0 = h"), "p p p=free p p p"));
  for (const char* use :
       {"$0 = h", "h = 1", "h += 1", "$0 = fetch_add h 1", "$0 = exchange h 1", "$0 = cas h 0 1",
        "$0 = (h == 0)", "assume h == 0", "free h", "atomic { h = 1; $0 = h }"}) {
    EXPECT_TRUE(finds(program(use), "p p#failed")) << use;
    EXPECT_TRUE(finds(program(std::string("alloc h; free h; ") + use), "p p p p#failed")) << use;
    if (use != std::string("free h")) {
      EXPECT_FALSE(finds(program(std::string("alloc h; ") + use), "p p p p#ended")) << use;
    }
  }
}

TEST(Machine, AFailedThreadStopsAndTheOthersGoOn) {
  const char* program = "var x\nthread p: $0 = x; claim $0 == 1; x = 5\nthread q: x = 2; x = 3\n";
  EXPECT_TRUE(finds(program, "p p#failed q q x:3"));
  EXPECT_EQ(ending_after(program, "p q q"), Ending::complete);  // a finding, but no deadlock
  EXPECT_FALSE(finds("var x\nthread p: $0 = x; claim $0 == 0\n", "p p#ended"));
}

TEST(Machine, AnAssumptionThatFailsStopsItsThread) {
  const char* program = "var x\nvar y\nthread p: assume x == 1; y = 1\nthread q: x = 1; y = 2\n";
  EXPECT_EQ(ending_after(program, "p=read p#stopped q q y:2"), Ending::assumed);
  EXPECT_EQ(ending_after(program, "q p p y:1 q y:2"), Ending::complete);
  EXPECT_FALSE(finds(program, "p q q"));
}

TEST(Machine, AtomicBlocksAreOneStep) {
  const char* program =
      "var x = 1\nvar y\nthread p: atomic { $0 = x; y = $0+1; x = 7 }; fence\n"
      "thread q: atomic { $0 = (x == 1); if $0 == 0 goto L; y = 5; L: }\n"
      "thread r: atomic { x = 3; assume y == 1; x = 4 }\n";
  Play play(program);
  play.follow("p=update+write_in_block x:7 y:2");
  EXPECT_EQ(play.machine().footprints().varies(play.last().footprint), Varies::no);
  play.follow("q=read y:2");
  EXPECT_EQ(play.machine().footprints().varies(play.last().footprint), Varies::anything);
  Play(program).follow("q=read+write_in_block y:5 p=update+write_in_block p=nothing");
  EXPECT_EQ(ending_after(program, "r=write_in_block+read r#stopped x:3 p p q"), Ending::assumed);
}

TEST(Machine, LocalInstructionsAreCarriedOutWithTheStepBefore) {
  Play(
      "var x\nthread p: $0 := 3; $0 *= 5; $0 %= 4; $0 += -1; L: x = $0; $0 += 1; if $0 < 4 goto "
      "L\n")
      .follow("p x:2 p x:3 p#ended");
  EXPECT_TRUE(finds("thread p: $0 %= $1; fence\n", "p#failed"));
  EXPECT_THROW(Play("thread p: L: goto L\n"), Misuse);
}

// --- locks

TEST(Machine, AMutexIsHeldByOne) {
  const char* program =
      "mutex m\nvar a = 9\nthread p: lock m; unlock m\nthread q: lock m; unlock m\n"
      "thread r: $0 = try_lock m; a = $0; $0 = try_lock m; a = $0\n";
  Play play(program);
  play.follow("p=lock q!lock r=try_lock_fail r a:0 p=unlock q? r=try_lock r a:1 q!lock");
  EXPECT_EQ(play.machine().ending(), Ending::deadlock);
  ASSERT_EQ(play.machine().pending().size(), 1U);
  EXPECT_EQ(play.machine().pending()[0].thread, 1);
  EXPECT_EQ(ending_after("mutex m\nthread p: lock m; lock m\n", "p p!lock"), Ending::deadlock);
}

TEST(Machine, OnlyItsHolderUnlocks) {
  for (const char* code : {"unlock m", "read_unlock l", "write_unlock l", "wait c m"})
    EXPECT_TRUE(finds("mutex m\nrwlock l\ncond c\nthread p: lock m; read_lock l\nthread q: " +
                          std::string(code) + "; fence\n",
                      "p p q=nothing q#failed"))
        << code;
}

TEST(Machine, AnRwlockHasReadersOrAWriter) {
  Play(
      "rwlock l\nvar a = 9\nthread p: read_lock l; read_unlock l\nthread q: read_lock l\n"
      "thread w: write_lock l; write_unlock l\n"
      "thread t: $0 = try_write_lock l; $0 = try_read_lock l; a = $0; read_unlock l\n"
      "thread u: $0 = try_read_lock l; a = $0; $0 = try_write_lock l; a = $0\n")
      .follow("p=read_lock w!write_lock t=try_write_lock_fail t=try_read_lock t a:1")
      .follow("p=read_unlock w!write_lock t=read_unlock w=write_lock q!read_lock")
      .follow("u=try_read_lock_fail u a:0 w=write_unlock q? u=try_write_lock u a:1 q!read_lock");
  EXPECT_FALSE(
      finds("rwlock l\nthread p: read_lock l; read_lock l; read_unlock l; read_unlock l\n"
            "thread q: write_lock l\n",
            "p p p q!write_lock p q"));
}

// --- condition variables

constexpr const char* waiters =
    "mutex m\ncond c\nthread p: lock m; wait c m; unlock m\nthread q: lock m; wait c m; unlock m\n"
    "thread r: lock m; wait c m; unlock m\nthread s: signal c; signal c; signal c\n"
    "thread b: broadcast c\n";

TEST(Machine, WaitUnlocksAndLocksAgain) {
  Play(waiters).follow(
      "p=lock p=unlock+wait p!wake q s=signal p=wake_all p!lock q p=lock p=unlock p#ended");
}
TEST(Machine, ASignalWithNoWaiterIsLost) { Play(waiters).follow("s p p p!wake s p?"); }
TEST(Machine, ASignalIsForOneOfThoseThatWait) {
  Play(waiters).follow("p p q q s p? q? q p!wake");
  Play(waiters).follow("p p q q s p q!wake");
}
TEST(Machine, ALaterWaiterCannotTakeAnEarlierSignal) {
  Play(waiters).follow("p p s q q p? q!wake p q!wake s q?");
}
TEST(Machine, AThreadTakesTheTokenThatFewestOthersCould) {
  const std::string one_for_p_one_for_either = "p p s q q s ";
  Play(waiters).follow(one_for_p_one_for_either + "p q? q");
  Play(waiters).follow(one_for_p_one_for_either + "q p? p");
}
TEST(Machine, ThereAreNoMoreSignalsThanWaiters) {
  Play(waiters).follow("p p s s q q q!wake p q!wake");
  Play(waiters).follow("p p q q s s s r r p q r!wake");
}
TEST(Machine, ABroadcastReleasesThoseThatWait) {
  Play(waiters).follow(
      "p p q q s b=broadcast r r p? q? r!wake p=wake q=wake_all r!wake s r=wake_all");
}
TEST(Machine, ASignalIsNotWastedOnTheReleased) {
  Play(waiters).follow("p p b q q s p=wake_all q?");
}

// --- other synchronisation

TEST(Machine, ASemaphoreCounts) {
  Play(
      "sem s = 1\nvar a = 9\nthread p: sem_wait s; sem_wait s\nthread q: sem_post s\n"
      "thread r: $0 = sem_try_wait s; a = $0; $0 = sem_try_wait s; a = $0\n")
      .follow("p=sem_wait p!sem_wait r=sem_try_wait_fail r a:0 q=sem_post p?")
      .follow("r=sem_try_wait r a:1 p!sem_wait");
}

TEST(Machine, ABarrierHasGenerations) {
  const char* program =
      "barrier b = 2\nthread p: barrier b; barrier b\nthread q: barrier b\nthread r: barrier b\n";
  EXPECT_EQ(ending_after(program,
                         "p=arrive p!leave q p? q? r=arrive r!leave p=leave r!leave "
                         "p=arrive r? q r p p#ended"),
            Ending::complete);
}

TEST(Machine, ThreadsAreCreatedAndJoined) {
  const char* program =
      "var x\nthread p: create c; join c; x = 5\ncreated c: x = 2\ncreated d: x = 3\n";
  EXPECT_EQ(ending_after(program, "p=create p!join c=write c#ended p=write+joined x:5"),
            Ending::complete);  // d never existed
}

TEST(Machine, ChoicesAreAlternatives) {
  Play play("var x\nthread p: $0 = choose 3; x = $0\n");
  EXPECT_EQ(state(play.machine()).enabled, (std::vector<Move>{{0, 0}, {0, 1}, {0, 2}}));
  EXPECT_EQ(play.machine().step({0, 2}).alternatives, 3);
  play.follow("p x:2");
}

// --- messages

TEST(Machine, AReceiveTakesTheOldestMatch) {
  Play(
      "var a\nthread p: send r 0; send r 1\nthread q: send r 1\nthread r: $0 = receive 1; a = $0; "
      "$0 = receive *; a = $0; $0 = try_receive 0; a = $0; $0 = try_receive *; a = $0\n")
      .follow("r!receive p=send r!receive q p r=receive r a:2 r=receive r a:1")
      .follow("r=try_receive_none r a:0 r=try_receive r a:1");
}

TEST(Machine, AMessageGoesToTheThreadOfANumber) {
  EXPECT_TRUE(
      finds("thread p: $0 := 2; send $0 3; $0 := 3; send $0 3; fence\nthread q: receive *\n"
            "thread r: receive 3\n",
            "p=send q!receive r? p p#failed"));
  EXPECT_TRUE(finds("thread p: $0 := -1; send $0 3; fence\n", "p p#failed"));
  EXPECT_TRUE(finds("thread p: $0 := 64; send p $0; fence\n", "p p#failed"));
  EXPECT_FALSE(finds("thread p: $0 := 63; send p $0; receive 63\n", "p p"));
}

// --- schedules

TEST(Machine, SchedulesThatDivergeSayWhereAndWhy) {
  ModelRunner runner(
      parse_program("mutex m\nvar x\nthread p: lock m; $0 = choose 2; $0 := 1; claim $0 == 2\n"
                    "thread q: lock m; unlock m\ncreated r:\nthread s: assume x == 1\n"));
  const auto misfit = [&](const Schedule& schedule) {
    runner.submit({schedule});
    const Log& log = runner.next();
    if (log.ending != Ending::diverged) return std::string();
    return std::to_string(log.diverged_at) + ": " + log.why_diverged;
  };
  EXPECT_EQ(misfit({}), "");
  EXPECT_EQ(misfit({{0, 0}, {1, 0}}), "1: thread q is blocked: lock");
  EXPECT_EQ(misfit({{1, 0}, {1, 0}, {1, 0}}), "2: thread q has ended");
  EXPECT_EQ(misfit({{0, 0}, {0, 2}}), "1: thread p has 2 alternative(s) here");
  EXPECT_EQ(misfit({{0, 1}}), "0: thread p has 1 alternative(s) here");
  EXPECT_EQ(misfit({{0, 0}, {0, 1}, {0, 0}}), "2: thread p has failed");
  EXPECT_EQ(misfit({{2, 0}}), "0: thread r has not been created");
  EXPECT_EQ(misfit({{3, 0}, {3, 0}}), "1: thread s stopped at an assumption that does not hold");
  EXPECT_EQ(misfit({{65535, 65535}}), "0: there is no thread 65535");
}

TEST(Machine, RunnersStopOrGoOnAsAsked) {
  ModelRunner runner(parse_program("var x\nthread p: x = 1; x = 2\nthread q: $0 = x\n"));
  const Schedule first = {{1, 0}};
  runner.submit({first, Request::Then::stop, 0, 7});
  EXPECT_EQ(runner.next().ending, Ending::stopped);
  EXPECT_EQ(runner.next().events.size(), 1U);
  EXPECT_EQ(runner.next().ticket, 7U);
  runner.submit({first});
  EXPECT_EQ(runner.next().ending, Ending::complete);
  ASSERT_EQ(runner.next().events.size(), 3U);
  EXPECT_EQ(runner.next().events[1].move.thread, 0);
}

// --- states

// Steps at random, saving on the way; whatever happened since, a saved state comes back.
void wander(ModelMachine& machine, Random& random, int depth) {
  const State before = state(machine);
  if (before.enabled.empty() || depth == 0) return;
  machine.save();
  for (int round = 0; round < 2; ++round) {
    machine.step(random.pick(before.enabled));
    wander(machine, random, depth - 1);
    machine.restore();
    ASSERT_EQ(state(machine), before);
  }
  machine.drop();
}

TEST(Machine, SavedStatesComeBack) {
  for (const Shape& shape : shapes())
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      Random random(seed);
      ModelMachine machine(shape.make(random));
      const State first = state(machine);
      wander(machine, random, 6);
      EXPECT_EQ(state(machine), first);
      if (first.enabled.empty()) continue;
      machine.step(first.enabled.front());
      machine.reset();
      EXPECT_EQ(state(machine), first);
    }
}

}  // namespace
}  // namespace heddle::interp
