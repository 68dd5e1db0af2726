// Shrinking keeps what it is told to keep, and leaves nothing that can go.
#include "interp/shrink.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>

#include "base/check.hpp"
#include "base/random.hpp"
#include "interp/fuzz.hpp"
#include "interp/machine.hpp"
#include "interp/oracle.hpp"
#include "interp/random_program.hpp"
#include "interp/text.hpp"

namespace heddle::interp {
namespace {

using Property = std::function<bool(const Program&)>;

// Some run ends in such a state.
bool reaches(ModelMachine& machine, const std::function<bool(const ModelMachine&)>& wanted) {
  std::vector<Move> moves;
  machine.enabled(moves);
  if (moves.empty()) return wanted(machine);
  machine.save();
  bool found = false;
  for (std::size_t k = 0; k < moves.size() && !found; ++k) {
    machine.step(moves[k]);
    found = reaches(machine, wanted);
    machine.restore();
  }
  machine.drop();
  return found;
}
bool can_deadlock(const Program& program) {
  ModelMachine machine(program);
  return reaches(machine, [](const ModelMachine& m) { return m.ending() == Ending::deadlock; });
}
bool can_fail(const Program& program) {
  ModelMachine machine(program);
  return reaches(machine, [](const ModelMachine& m) { return m.finding(); });
}
Property uses(Op op) {
  return [=](const Program& program) {
    return std::ranges::any_of(program.threads, [&](const Thread& t) {
      return std::ranges::count(t.code, op, &Instruction::op) != 0;
    });
  };
}

bool can_race(const Program& program) {
  ModelMachine machine(program);
  return !all_races(machine, 100'000)->empty();
}

std::string shrunk(const std::string& text, const Property& property) {
  const Program program = parse_program(text);
  EXPECT_TRUE(property(program));
  const Program small = shrink(program, property);
  EXPECT_TRUE(property(small));
  return print_program(small);
}

// Deadlocks, although every lock is released.
bool deadlocks_cleanly(const Program& program) {
  return can_deadlock(program) && std::ranges::all_of(program.threads, [](const Thread& t) {
           return std::ranges::count(t.code, Op::lock, &Instruction::op) ==
                  std::ranges::count(t.code, Op::unlock, &Instruction::op);
         });
}

TEST(Shrink, LeavesWhatDeadlocks) {
  const std::string text =
      "mutex m\nmutex n\nvar x\n"
      "thread p: x = 3; lock m; $0 = x; lock n; unlock n; unlock m\nthread r: x = 1\n"
      "thread q: lock n; x = 2; lock m; x = 7; unlock m; unlock n\n";
  EXPECT_EQ(shrunk(text, can_deadlock),
            "mutex m\nmutex n\nvar x\nthread p: lock m\nthread q: lock m\n");
  EXPECT_EQ(shrunk(text, deadlocks_cleanly),
            "mutex m\nmutex n\nvar x\nthread p: lock m; lock n; unlock n; unlock m\n"
            "thread q: lock n; lock m; unlock m; unlock n\n");
}

TEST(Shrink, MovesJumpsAlong) {
  const auto fails_by_its_jumps = [](const Program& program) {
    Program straight = program;
    for (Thread& t : straight.threads)
      for (Instruction& i : t.code)
        if (i.op == Op::jump) i = Instruction();
    return can_fail(program) && !can_fail(straight);
  };
  EXPECT_EQ(shrunk("var x\nthread p: fence; $0 = x; if $0 == 3 goto M; fence; if $0 == 0 goto L; "
                   "fence; M: fence; $0 := 2; L: fence; claim $0 == 2\nthread q: x = 3; x = 2\n",
                   fails_by_its_jumps),
            "var x\nthread p: if $0 == 0 goto L0; $0 := 2; L0: claim $0 == 2\n");
}

TEST(Shrink, OpensBlocksAndMakesNumbersSmall) {
  const auto reads_and_writes = [](const Program& p) {
    return uses(Op::write)(p) && uses(Op::read)(p);
  };
  const std::string text =
      "var x\nvar y\nthread p: $0 = y; atomic { $0 = x; y = 2; x = 5 }; y = 3\n"
      "thread q: atomic { y = 1 }\n";
  EXPECT_EQ(shrunk(text, reads_and_writes), "var x\nvar y\nthread p: $0 = x; y = 0\n");
  EXPECT_EQ(shrunk(text, uses(Op::atomic_end)), "var x\nvar y\nthread q: atomic { }\n");
  EXPECT_EQ(shrunk("var x\nthread p: $0 = choose 7; x = $0\n", uses(Op::choose)),
            "var x\nthread p: $0 = choose 2\n");
}

TEST(Shrink, KeepsThreadsThatOthersMayName) {
  EXPECT_EQ(shrunk("var x\nthread p: x = 1; create c; join d\nthread q: x = 2\n"
                   "created c: fence; $0 := 1; claim $0 == 0\ncreated d: x = 2\n",
                   can_fail),
            "var x\nthread p: create c\nthread q:\ncreated c: $0 := 1; claim $0 == 0\n"
            "created d:\n");
}

TEST(Shrink, LeavesAloneWhatIsSmallest) {
  const std::string text = "mutex m\nthread p: lock m; lock m\n";
  EXPECT_EQ(shrunk(text, can_deadlock), text);
  const auto anything = [](const Program&) { return true; };
  EXPECT_EQ(shrunk("var x\nthread p: x = 1\nthread q: x = 2\n", anything), "var x\nthread q:\n");
}

// No instruction of the result can go: whatever is taken out, the property is lost.
TEST(Shrink, OfRandomProgramsNothingMoreCanGo) {
  int checked = 0;
  for (const Shape& shape : shapes()) {
    if (shape.name != "semaphores" && shape.name != "condition variables" &&
        shape.name != "barriers")
      continue;  // without jumps
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
      Random random(seed);
      const Program program = shape.make(random);
      if (!can_deadlock(program)) continue;
      const Program small = shrink(program, can_deadlock);
      EXPECT_TRUE(can_deadlock(small));
      for (std::size_t t = 0; t < small.threads.size(); ++t)
        for (std::size_t pc = 0; pc < small.threads[t].code.size(); ++pc) {
          Program smaller = small;
          auto& code = smaller.threads[t].code;
          code.erase(code.begin() + static_cast<std::ptrdiff_t>(pc));
          EXPECT_FALSE(can_deadlock(smaller)) << print_program(small);
          ++checked;
        }
    }
  }
  EXPECT_GT(checked, 50);
}

// With a broken table the fuzzer finds a failure, and its program is about as small as can be.
TEST(Shrink, ShowsWhatABrokenTableDoes) {
  for (const auto& [x, y] : {std::pair{Mode::read, Mode::write},
                             {Mode::lock, Mode::lock},
                             {Mode::write, Mode::write},
                             {Mode::send, Mode::try_receive_none}}) {
    SCOPED_TRACE(std::string(name_of(x)) + ", " + std::string(name_of(y)));
    const Dependence broken = Dependence::standard().without(x, y);
    FuzzOptions options;
    options.max_programs = 2'000;
    options.algorithms = {find_algorithm("optimal")};
    options.dependence = &broken;
    const FuzzReport report = fuzz(options);
    ASSERT_TRUE(report.failure);
    std::size_t instructions = 0;
    for (const Thread& t : report.program.threads) instructions += t.code.size();
    EXPECT_LE(instructions, 4U) << print_program(report.program);
  }
}

TEST(Shrink, LeavesMemoryOrdersThatMatterOnly) {
  EXPECT_EQ(shrunk("var x\nvar u\nthread p: plain u = 1; x = 1 relaxed; fence acquire\n"
                   "thread q: assume x == 1 relaxed; plain u\n",
                   [](const Program& p) { return can_race(p) && uses(Op::assume)(p); }),
            "var x\nvar u\nthread p: plain u = 0\nthread q: assume x == 0; plain u\n");
}

}  // namespace
}  // namespace heddle::interp
