// What parse_program says of texts that are no programs, word for word.
#include <gtest/gtest.h>

#include <cctype>
#include <string>

#include "base/check.hpp"
#include "interp/text.hpp"

namespace heddle::interp {
namespace {

std::string error_of(const std::string& text) {
  try {
    parse_program(text);
  } catch (const Misuse& e) {
    return e.what();
  }
  return "";
}

struct Wrong {
  const char* text;
  const char* error;
};

class TextErrors : public testing::TestWithParam<Wrong> {};

// Its number and the words of its text.
std::string name_of(const testing::TestParamInfo<Wrong>& wrong) {
  std::string name = std::to_string(wrong.index) + "_";
  for (const char* c = wrong.param.text; *c != '\0'; ++c)
    if (std::isalnum(static_cast<unsigned char>(*c)) != 0)
      name += *c;
    else if (name.back() != '_')
      name += '_';
  return name;
}

TEST_P(TextErrors, AreExact) { EXPECT_EQ(error_of(GetParam().text), GetParam().error); }

INSTANTIATE_TEST_SUITE_P(
    Lines, TextErrors,
    testing::Values(
        Wrong{"",
              "line 1: unexpected end of file, expected a declaration (var, heap, array, mutex "
              "...) or "
              "a thread"},
        Wrong{"var x\nfoo y",
              "line 2: unexpected 'foo', expected a declaration (var, heap, array, "
              "mutex ...) or a thread"},
        Wrong{"var x\nmutex x\n", "line 2: 'x' is declared twice, expected another name"},
        Wrong{"var lock", "line 1: 'lock' is a word of the language, expected a name"},
        Wrong{"var x = $0", "line 1: unexpected '$0', expected an integer"},
        Wrong{"mutex m = 1", "line 1: unexpected '=', expected the end of the line"},
        Wrong{"barrier b\n", "line 1: unexpected end of line, expected '=' and a number"},
        Wrong{"array a 4000000000",
              "line 1: unexpected '4000000000', expected the size of the array (1 .. 100000)"},
        Wrong{"array a 100000\nvar x", "line 2: too many objects, expected 100000 at most"},
        Wrong{"var x = 9223372036854775808",
              "line 1: the number 9223372036854775808 is too large, expected one of 64 bits"},
        Wrong{"var x = 3y", "line 1: unexpected '3y', expected a number or a name"},
        Wrong{"var x = -", "line 1: unexpected '-' without a number, expected one after it"},
        Wrong{"var x\x80",
              "line 1: unexpected byte 128, expected names, numbers, registers and the "
              "signs of the language"},
        Wrong{"var x @",
              "line 1: unexpected '@', expected names, numbers, registers and the signs "
              "of the language"}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Threads, TextErrors,
    testing::Values(
        Wrong{"thread p:\nthread p:\n", "line 2: duplicate thread 'p', expected another name"},
        Wrong{"thread p x", "line 1: unexpected 'x', expected ':'"},
        Wrong{"thread p: fence; thread q:",
              "line 1: unexpected 'thread' within a line, expected it at the beginning of one"},
        Wrong{"thread p:\n\nvar x",
              "line 3: declaration in a thread, expected it before "
              "the first thread"},
        Wrong{"thread p: fence fence",
              "line 1: unexpected 'fence', expected ';' or the end of the line"},
        Wrong{"thread p:\natomic {\nfence }",
              "line 3: step in an atomic block that is "
              "not an access, expected reads, writes and what is "
              "not a step"},
        Wrong{"heap h\nthread p: atomic { alloc h }",
              "line 2: step in an atomic block that is not an access, expected reads, "
              "writes and what is not a step"},
        Wrong{"thread p:\natomic {\n$0 := 1\nthread q:",
              "line 2: unterminated atomic block, expected '}'"},
        Wrong{"thread p: atomic {\natomic {",
              "line 2: nested atomic block, "
              "expected '}' first"},
        Wrong{"thread p: }",
              "line 1: unexpected '}' outside a block, expected 'atomic {' before it"},
        Wrong{"thread p:\ngoto away\naway: fence\naway:",
              "line 4: duplicate label 'away' in this thread, expected another name"},
        Wrong{"thread p:\ngoto away\nthread q: away:",
              "line 2: unknown label 'away', expected one of the same thread"},
        Wrong{"thread p: goto in\natomic { in: }",
              "line 1: this jump enters or leaves an atomic block, expected a label on the same "
              "side"},
        Wrong{"thread p: atomic {\ngoto out };out:",
              "line 2: this jump enters or leaves an atomic block, expected a label on the same "
              "side"},
        Wrong{"thread p: if $0 == 1 away", "line 1: unexpected 'away', expected 'goto'"},
        Wrong{"thread p: if: fence", "line 1: 'if' is a word of the language, expected a label"}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Instructions, TextErrors,
    testing::Values(
        Wrong{"var x\nthread p: y = 1",
              "line 2: 'y' is neither an instruction nor a variable, expected one of them"},
        Wrong{"var x\nthread p: x = x",
              "line 2: unexpected 'x', expected a value (an integer, $0, $0+1 or $0-1)"},
        Wrong{"mutex m\nthread p:\n$0 = m", "line 3: 'm' is a mutex, expected a variable"},
        Wrong{"thread p: lock m", "line 1: 'm' is not declared, expected the name of a mutex"},
        Wrong{"rwlock l\nthread p: wait l l", "line 2: 'l' is an rwlock, expected a condition"},
        Wrong{"array a 3\nthread p: a = 1",
              "line 2: unexpected '=', expected '[' and an index, as 'a' is an array"},
        Wrong{"array a 3\nthread p: a[3] = 1",
              "line 2: unexpected '3', expected an index of 'a' (0 .. 2)"},
        Wrong{"thread p: $0 = 1",
              "line 1: unexpected '1', expected what has a result (for a value, it is ':=')"},
        Wrong{"thread p: $0",
              "line 1: unexpected end of file, expected '=', ':=', '+=', '*=' or '%='"},
        Wrong{"thread p: $64 := 1", "line 1: unknown register $64, expected $0 .. $63"},
        Wrong{"thread p: $0+1 := 1", "line 1: unexpected '$0+1', expected a register"},
        Wrong{"thread p: claim $0 = 1", "line 1: unexpected '=', expected ==, !=, <, <=, > or >="},
        Wrong{"thread p: $0 = fence", "line 1: 'fence' has no result, expected it without '='"},
        Wrong{"thread p: choose 2",
              "line 1: 'choose' has no register for its result, expected '$0 = choose'"},
        Wrong{"thread p: $0 = choose 1001",
              "line 1: unexpected '1001', expected a number of alternatives (1 .. 1000)"},
        Wrong{"thread p: send p 64", "line 1: unexpected '64', expected a tag (0 .. 63)"},
        Wrong{"thread p: receive\n",
              "line 1: unexpected end of line, expected '*', 'none' or a tag (0 .. 63)"},
        Wrong{"thread p: join q", "line 1: unknown thread 'q', expected the name of a thread"}),
    name_of);

}  // namespace
}  // namespace heddle::interp
