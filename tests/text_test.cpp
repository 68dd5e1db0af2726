#include "interp/text.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "base/check.hpp"
#include "base/random.hpp"

namespace heddle::interp {
namespace {

// Objects 0 .. 12; the threads are 13 .. 15, their mailboxes 16 .. 18.
constexpr const char* declared =
    "var x\n"
    "var y = -3\n"
    "heap h\n"
    "array a 3 = 7\n"
    "mutex m\n"
    "mutexes n 2\n"
    "rwlock l\n"
    "cond c\n"
    "sem s = 1\n"
    "barrier b = 2\n";

constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();

// An instruction's fields, one after the other.
struct Make : Instruction {
  explicit Make(Op o) { op = o; }
  Make on(Location o, std::int8_t by = no_register) const {
    return with([&](Make& m) { m.object = o, m.index = by; });
  }
  Make to(std::int8_t r) const {
    return with([&](Make& m) { m.dst = r; });
  }
  Make with_second(Location o) const {
    return with([&](Make& m) { m.second = o; });
  }
  Make compared(Compare c) const {
    return with([&](Make& m) { m.cmp = c; });
  }
  Make val(std::int64_t constant, std::int8_t r = no_register) const {
    return with([&](Make& m) { m.value = {constant, r}; });
  }
  Make val2(std::int64_t constant, std::int8_t r = no_register) const {
    return with([&](Make& m) { m.value2 = {constant, r}; });
  }
  Make with_time() const {
    return with([](Make& m) { m.timed = true; });
  }
  Make ordered(MemoryOrder o) const {
    return with([&](Make& m) { m.order = o; });
  }
  Make jumps_to(std::int32_t t) const {
    return with([&](Make& m) { m.target = t; });
  }

 private:
  template <typename F>
  Make with(F change) const {
    Make copy = *this;
    change(copy);
    return copy;
  }
};

struct Case {
  std::string text;
  Instruction instruction;
};

// In thread q, which is number 1.
std::vector<Case> memory_cases() {
  return {
      {"$0 = x", Make(Op::read).on(0).to(0)},
      {"y", Make(Op::read).on(1)},
      {"$63 = a[2]", Make(Op::read).on(5).to(63)},
      {"$1 = a[$0]", Make(Op::read).on(3, 0).to(1)},
      {"$0 = x[$2]", Make(Op::read).on(0, 2).to(0)},
      {"$2 = (x <= 3)", Make(Op::check).on(0).to(2).compared(Compare::le).val(3)},
      {"(a[1] != $4-2)", Make(Op::check).on(4).compared(Compare::ne).val(-2, 4)},
      {"assume x == 1", Make(Op::assume).on(0).val(1)},
      {"assume a[$7] > $1", Make(Op::assume).on(3, 7).compared(Compare::gt).val(0, 1)},
      {"x = -5", Make(Op::write).on(0).val(-5)},
      {"a[$1] = $2+3", Make(Op::write).on(3, 1).val(3, 2)},
      {"x = $3" + std::to_string(lowest), Make(Op::write).on(0).val(lowest, 3)},
      {"x = " + std::to_string(lowest), Make(Op::write).on(0).val(lowest)},
      {"x += $0-1", Make(Op::add).on(0).val(-1, 0)},
      {"$0 = fetch_add x 2", Make(Op::fetch_add).on(0).to(0).val(2)},
      {"fetch_add x $1", Make(Op::fetch_add).on(0).val(0, 1)},
      {"$0 = exchange x $0", Make(Op::exchange).on(0).to(0).val(0, 0)},
      {"$1 = cas x $0 -1", Make(Op::cas).on(0).to(1).val(0, 0).val2(-1)},
      {"cas x 0 $5-1", Make(Op::cas).on(0).val(0).val2(-1, 5)},
      {"$0 = x acquire", Make(Op::read).on(0).to(0).ordered(MemoryOrder::acquire)},
      {"(x == 1) relaxed", Make(Op::check).on(0).val(1).ordered(MemoryOrder::relaxed)},
      {"x = $1 release", Make(Op::write).on(0).val(0, 1).ordered(MemoryOrder::release)},
      {"$0 = cas x 0 1 acq_rel",
       Make(Op::cas).on(0).to(0).val(0).val2(1).ordered(MemoryOrder::acquire_release)},
      {"fence release", Make(Op::fence).ordered(MemoryOrder::release)},
      {"$1 = plain a[$0]", Make(Op::plain_read).on(3, 0).to(1)},
      {"plain x", Make(Op::plain_read).on(0)},
      {"plain x = $2+1", Make(Op::plain_write).on(0).val(1, 2)},
      {"alloc h", Make(Op::alloc).on(2)},
      {"free h", Make(Op::free).on(2)},
  };
}

std::vector<Case> synchronisation_cases() {
  return {
      {"lock m", Make(Op::lock).on(6)},
      {"lock n[1]", Make(Op::lock).on(8)},
      {"$0 = timed_lock n[$3]", Make(Op::lock).on(7, 3).to(0).with_time()},
      {"timed_lock m", Make(Op::lock).on(6).with_time()},
      {"$0 = try_lock n[$3]", Make(Op::try_lock).on(7, 3).to(0)},
      {"try_lock m", Make(Op::try_lock).on(6)},
      {"unlock m", Make(Op::unlock).on(6)},
      {"read_lock l", Make(Op::read_lock).on(9)},
      {"$0 = try_read_lock l", Make(Op::try_read_lock).on(9).to(0)},
      {"read_unlock l", Make(Op::read_unlock).on(9)},
      {"write_lock l", Make(Op::write_lock).on(9)},
      {"$0 = try_write_lock l", Make(Op::try_write_lock).on(9).to(0)},
      {"write_unlock l", Make(Op::write_unlock).on(9)},
      {"wait c n[1]", Make(Op::wait).on(10).with_second(8)},
      {"$0 = timed_wait c m", Make(Op::wait).on(10).with_second(6).to(0).with_time()},
      {"signal c", Make(Op::signal).on(10)},
      {"broadcast c", Make(Op::broadcast).on(10)},
      {"sem_wait s", Make(Op::sem_wait).on(11)},
      {"$0 = timed_sem_wait s", Make(Op::sem_wait).on(11).to(0).with_time()},
      {"$0 = sem_try_wait s", Make(Op::sem_try_wait).on(11).to(0)},
      {"sem_post s", Make(Op::sem_post).on(11)},
      {"barrier b", Make(Op::barrier).on(12)},
      {"create r", Make(Op::create).on(15)},
      {"join p", Make(Op::join).on(13)},
  };
}

std::vector<Case> other_cases() {
  return {
      {"send r 63", Make(Op::send).on(18).val(63)},
      {"send $4 $1+1", Make(Op::send).on(16, 4).val(1, 1)},
      {"$0 = receive 0,2", Make(Op::receive).on(17).to(0).val(5)},
      {"receive 63", Make(Op::receive).on(17).val(lowest)},
      {"$3 = try_receive *", Make(Op::try_receive).on(17).to(3).val(-1)},
      {"receive none", Make(Op::receive).on(17)},
      {"$0 = try_receive $1+4", Make(Op::try_receive).on(17).to(0).val(4, 1)},
      {"$0 = choose 1000", Make(Op::choose).to(0).val(1000)},
      {"fence", Make(Op::fence)},
      {"$0 := $1-1", Make(Op::set).to(0).val(-1, 1)},
      {"$0 += 2", Make(Op::plus).to(0).val(2)},
      {"$0 *= $0", Make(Op::times).to(0).val(0, 0)},
      {"$0 %= 4", Make(Op::modulo).to(0).val(4)},
      {"claim $1 >= -4", Make(Op::claim).to(1).compared(Compare::ge).val(-4)},
      {"L0: goto L0", Make(Op::jump).to(0).compared(Compare::ge).val(0, 0)},
      {"if $5 < 3 goto L0; L0:", Make(Op::jump).to(5).compared(Compare::lt).val(3).jumps_to(1)},
      {"L0: if $1 >= $1 goto L0", Make(Op::jump).to(1).compared(Compare::ge).val(0, 1)},
  };
}

std::vector<Case> all_cases() {
  std::vector<Case> all = memory_cases();
  for (const auto& more : {synchronisation_cases(), other_cases()})
    all.insert(all.end(), more.begin(), more.end());
  return all;
}

std::string in_thread_q(const std::string& code) {
  return std::string(declared) + "thread p:\nthread q: " + code + "\ncreated r:\n";
}

bool same(const Program& x, const Program& y) {
  const auto objects = [](const Object& o, const Object& p) {
    return o.name == p.name && o.kind == p.kind && o.initial == p.initial && o.index == p.index &&
           o.length == p.length && o.on_heap == p.on_heap;
  };
  const auto threads = [](const Thread& t, const Thread& u) {
    return t.name == u.name && t.code == u.code && t.created == u.created;
  };
  return std::ranges::equal(x.objects, y.objects, objects) &&
         std::ranges::equal(x.threads, y.threads, threads);
}

TEST(Text, ReadsEveryInstructionAndPrintsItAgain) {
  std::set<Op> seen = {Op::atomic_begin, Op::atomic_end};  // these have a test of their own
  for (const Case& c : all_cases()) {
    const std::string text = in_thread_q(c.text);
    const Program program = parse_program(text);
    ASSERT_EQ(program.threads[1].code.size(), 1U) << c.text;
    EXPECT_EQ(program.threads[1].code[0], c.instruction) << c.text;
    EXPECT_EQ(print_program(program), text);
    seen.insert(c.instruction.op);
  }
  EXPECT_EQ(seen.size(), static_cast<std::size_t>(Op::plain_write) + 1);
}

TEST(Text, ReadsDeclarations) {
  const Program p = parse_program(in_thread_q(""));
  ASSERT_EQ(p.objects.size(), 13U);
  EXPECT_EQ(p.objects[1].initial, -3);
  EXPECT_TRUE(p.objects[2].on_heap);
  for (std::uint32_t k = 0; k < 3; ++k) {
    EXPECT_EQ(p.objects[3 + k].name, "a");
    EXPECT_EQ(p.objects[3 + k].initial, 7);
    EXPECT_EQ(p.objects[3 + k].index, k);
    EXPECT_EQ(p.objects[3 + k].length, 3U);
    EXPECT_FALSE(p.objects[3 + k].on_heap);
  }
  EXPECT_EQ(p.objects[8].kind, ObjectClass::mutex);
  EXPECT_EQ(p.objects[8].index, 1U);
  EXPECT_EQ(p.objects[9].kind, ObjectClass::rwlock);
  EXPECT_EQ(p.objects[10].kind, ObjectClass::condition);
  EXPECT_EQ(p.objects[11].kind, ObjectClass::semaphore);
  EXPECT_EQ(p.objects[11].initial, 1);
  EXPECT_EQ(p.objects[12].kind, ObjectClass::barrier);
  EXPECT_EQ(p.objects[12].initial, 2);
  ASSERT_EQ(p.threads.size(), 3U);
  EXPECT_FALSE(p.threads[1].created);
  EXPECT_TRUE(p.threads[2].created);
}

TEST(Text, LayoutIsFree) {
  const Program tidy = parse_program(
      "var x\nthread p: again: x = 1; atomic { $0 = x; x += 1 }; if $0 == 1 goto again\nthread q: "
      "x = 2\n");
  const Program wild = parse_program(
      "# a comment\r\n\n\tvar x # another\n\nthread p:# here\nagain:\n\n  x=1;;atomic {\n $0=x\n"
      "x+=1\n\n};if $0==1 goto again;\n#thread r:\nthread q:x=2");
  EXPECT_TRUE(same(tidy, wild));
  ASSERT_EQ(tidy.threads[0].code.size(), 6U);
  EXPECT_EQ(tidy.threads[0].code[1], Make(Op::atomic_begin));
  EXPECT_EQ(tidy.threads[0].code[4], Make(Op::atomic_end));
}

TEST(Text, PrintsShortThreadsOnOneLine) {
  const std::string text =
      "var x\n"
      "thread p: L0: atomic { $0 = x; if $0 == 1 goto L1; x = 1; L1: }; goto L0\n"
      "thread q: if $0 == 0 goto L1; L0: atomic { }; goto L0; L1:\n"
      "thread r: atomic { if $0 == 0 goto L0; L0: }\n";
  EXPECT_EQ(print_program(parse_program(text)), text);
}

TEST(Text, PrintsLongThreadsOverSeveralLines) {
  const auto program = [](const std::string& last) {
    return parse_program(
        "var a_rather_long_name\nthread p: if $0 == 0 goto end; atomic { "
        "$0 = a_rather_long_name }; fence; end: $12 := " +
        last);
  };
  const std::string head = "var a_rather_long_name\nthread p:";
  EXPECT_EQ(print_program(program("123456789012345")),
            head +
                " if $0 == 0 goto L0; atomic { $0 = a_rather_long_name }; fence; "
                "L0: $12 := 123456789012345\n");
  EXPECT_EQ(print_program(program("1234567890123456")),
            head +
                "\n  if $0 == 0 goto L0\n  atomic {\n    $0 = a_rather_long_name\n  }\n"
                "  fence\n  L0: $12 := 1234567890123456\n");
}

TEST(Text, RefusesToPrintWhatItCannotSay) {
  const Program good = parse_program("array a 2\nvar x\nthread p: x = 1\n");
  const auto refuses = [&](auto change) {
    Program bad = good;
    change(bad);
    EXPECT_THROW(print_program(bad), Misuse);
  };
  EXPECT_NO_THROW(print_program(good));
  refuses([](Program& p) { p.threads.clear(); });
  refuses([](Program& p) { p.objects[2].name = "x}"; });
  refuses([](Program& p) { p.objects[2].name = "fence"; });
  refuses([](Program& p) { p.objects[2].name = "x\nvar y"; });
  refuses([](Program& p) { p.objects[1].initial = 1; });
  refuses([](Program& p) { p.objects[0].length = 4'000'000'000; });
  refuses([](Program& p) { p.objects[2].kind = ObjectClass::mailbox; });
  refuses([](Program& p) { p.threads[0].name = ""; });
  refuses([](Program& p) { p.threads[0].code[0].object = 99; });
  refuses([](Program& p) { p.threads[0].code[0].cmp = Compare::lt; });
  refuses([](Program& p) { p.threads[0].code[0].timed = true; });
  refuses([](Program& p) { p.threads[0].code[0] = Make(Op::read).on(1, 0); });
}

TEST(Text, RandomProgramsSurvivePrintingAndReading) {
  Random random(1);
  const std::vector<Case> cases = all_cases();
  const Program frame = parse_program(in_thread_q(""));
  for (int round = 0; round < 2000; ++round) {
    Program program = frame;
    auto& code = program.threads[1].code;
    std::vector<std::int32_t> targets = {0};  // not into blocks
    for (std::size_t n = random.below(20); n > 0; --n) {
      if (random.chance(0.8))
        code.push_back(random.pick(cases).instruction);
      else
        for (Op op : {Op::atomic_begin, Op::read, Op::check, Op::atomic_end})
          code.push_back(Make(op));
      targets.push_back(static_cast<std::int32_t>(code.size()));
    }
    for (Instruction& i : code)
      if (i.op == Op::jump) i.target = random.pick(targets);
    EXPECT_TRUE(same(parse_program(print_program(program)), program)) << print_program(program);
  }
}

// What a slip of the keyboard, or of a disk, makes of a text.
std::string mutated(std::string text, Random& random) {
  for (int n = random.between(1, 3); n > 0 && !text.empty(); --n) {
    const std::size_t at = random.below(text.size());
    const std::size_t size = std::min(text.size() - at, 1 + random.below(8));
    const std::size_t line = text.rfind('\n', at) + 1;  // 0 in the first
    const std::size_t line_size = text.find('\n', line) - line + 1;
    const std::size_t elsewhere = random.below(text.size());
    switch (random.below(6)) {
      case 0:
        text[at] = static_cast<char>(text[at] ^ (1 << random.below(8)));
        break;
      case 1:
        text.erase(at, size);
        break;
      case 2:
        text.insert(elsewhere, text.substr(at, size));
        break;
      case 3:
        text.replace(elsewhere, size, text.substr(at, size));
        break;
      case 4:
        text.erase(line, line_size);
        break;
      default:
        text.insert(text.rfind('\n', elsewhere) + 1, text.substr(line, line_size));
    }
  }
  return text;
}

TEST(Text, MutatedTextsAreReadOrRefused) {
  Random random(2);
  const std::vector<Case> cases = all_cases();
  int read = 0;
  int refused = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::string code = "again:";
    for (int n = 0; n < 4; ++n) {
      const std::string& one = random.pick(cases).text;
      if (one.find("goto") == std::string::npos) code += "\n" + one;
    }
    const std::string text =
        mutated(in_thread_q(code + "; atomic { $0 = x; x = $0+1 }; if $0 < 3 goto again"), random);
    Program program;
    try {
      program = parse_program(text);
    } catch (const Misuse& e) {
      ++refused;
      EXPECT_EQ(std::string(e.what()).substr(0, 5), "line ") << text;
      continue;
    }
    ++read;
    EXPECT_TRUE(same(parse_program(print_program(program)), program)) << text;
  }
  EXPECT_GT(read, 1000);
  EXPECT_GT(refused, 1000);
}

}  // namespace
}  // namespace heddle::interp
