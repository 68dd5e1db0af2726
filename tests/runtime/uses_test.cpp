#include "runtime/api/uses.hpp"

#include <gmock/gmock.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cstdarg>
#include <cstring>
#include <cwchar>
#include <string>

#include "runtime/abi/functions.h"
#include "runtime/api/formats.hpp"
#include "runtime/api/known_calls.hpp"
#include "runtime/fakes.hpp"

namespace heddle::runtime {
namespace {

using fake::Access;
using testing::ElementsAre;
using testing::IsEmpty;

class UsesTest : public fake::RuntimeTest {
 protected:
  // What is told of a call with these arguments, by the row of the function.
  template <typename... Arguments>
  static std::vector<Access> told(const char* function, Arguments... arguments) {
    const std::uint64_t words[] = {detail::as_word(arguments)..., 0};
    fake::world().accesses.clear();
    tell_uses(abi::uses_of(*abi::find_function(function)).all(), words);
    return fake::world().accesses;
  }
  static Access r(const void* at, std::uint64_t size) { return {at, size, 'r'}; }
  static Access w(const void* at, std::uint64_t size) { return {at, size, 'w'}; }

  char a[32] = "hello", b[32] = "xyz";
};

TEST_F(UsesTest, BytesAsAnArgumentSays) {
  EXPECT_THAT(told("memcpy", a, b, 7), ElementsAre(w(a, 7), r(b, 7)));
  EXPECT_THAT(told("memcpy", a, b, 0), IsEmpty());
}

TEST_F(UsesTest, StringsHaveAnEnd) {
  EXPECT_THAT(told("strlen", a), ElementsAre(r(a, 6)));
  EXPECT_THAT(told("strcpy", b, a), ElementsAre(w(b, 6), r(a, 6)));
  EXPECT_THAT(told("strnlen", a, 3), ElementsAre(r(a, 3)));
  EXPECT_THAT(told("strnlen", a, 30), ElementsAre(r(a, 6)));
}

TEST_F(UsesTest, WhatIsAppendedComesAfterWhatIsThere) {
  EXPECT_THAT(told("strcat", a, b), ElementsAre(r(a, 6), w(a + 5, 4), r(b, 4)));
}

TEST_F(UsesTest, ASearchEndsAtTheByte) {
  EXPECT_THAT(told("memchr", a, 'l', 30), ElementsAre(r(a, 3)));
  EXPECT_THAT(told("memchr", a, 'q', 5), ElementsAre(r(a, 5)));
}

TEST_F(UsesTest, NullPointersArePassedOver) {
  EXPECT_THAT(told("time", static_cast<time_t*>(nullptr)), IsEmpty());
}

TEST_F(UsesTest, WideStringsAreOfWords) {
  const wchar_t wide[] = L"ab";
  EXPECT_THAT(told("wcslen", wide), ElementsAre(r(wide, 12)));
}

TEST_F(UsesTest, FilesComeLast) {
  const std::vector<Access> accesses = told("fwrite", a, 2, 3, stdout);
  ASSERT_EQ(accesses.size(), 2U);
  EXPECT_EQ(accesses[0], r(a, 6));
  EXPECT_EQ(accesses[1].how, 'f');
}

TEST_F(UsesTest, AFormatSaysWhatIsReadAndHowMuchIsMade) {
  const std::vector<Access> accesses = told("sprintf", b, "%d %s", 42, a);
  EXPECT_THAT(accesses, testing::Contains(w(b, 9)));  // "42 hello"
  EXPECT_THAT(accesses, testing::Contains(r(a, 6)));
  EXPECT_THAT(told("snprintf", b, 5, "%s", a), testing::Contains(w(b, 5)));
}

TEST_F(UsesTest, CheckedFunctionsHaveTheRowsOfTheOthers) {
  EXPECT_EQ(abi::find_function("__memcpy_chk"), abi::find_function("memcpy"));
  EXPECT_EQ(abi::find_function("__printf_chk_not"), nullptr);
  EXPECT_EQ(abi::find_function("no_such_function"), nullptr);
}

std::vector<Access> told_of_format(const char* format, ...) {
  fake::world().accesses.clear();
  va_list arguments;
  va_start(arguments, format);
  tell_format(format, arguments);
  va_end(arguments);
  std::vector<Access> out = fake::world().accesses;
  out.erase(out.begin());  // the format itself
  return out;
}

TEST_F(UsesTest, DirectivesTakeTheirArguments) {
  int count = 0;
  short small = 0;
  EXPECT_THAT(told_of_format("%d%5.2f%%%ld%c %s", 1, 2.0, 3L, 'c', a), ElementsAre(r(a, 6)));
  EXPECT_THAT(told_of_format("%*d%.*s", 5, 1, 3, a), ElementsAre(r(a, 3)));
  EXPECT_THAT(told_of_format("%Lf%hhd%lld%s", 1.0L, 1, 2LL, b), ElementsAre(r(b, 4)));
  EXPECT_THAT(told_of_format("%n%hn%s", &count, &small, a),
              ElementsAre(w(&count, 4), w(&small, 2), r(a, 6)));
  EXPECT_THAT(told_of_format("%s", static_cast<char*>(nullptr)), IsEmpty());
  EXPECT_THAT(told_of_format("%.2ls", L"abc"), testing::SizeIs(1));
  EXPECT_THAT(told_of_format("100%"), IsEmpty());
}

TEST_F(UsesTest, AListOfWordsIsReadInOrder) {
  const std::uint64_t words[] = {7, reinterpret_cast<std::uint64_t>(a),
                                 reinterpret_cast<std::uint64_t>(b)};
  ListOfWords list(words);
  fake::world().accesses.clear();
  tell_format("%d%s%s", list.list);
  EXPECT_THAT(fake::world().accesses, testing::IsSupersetOf({r(a, 6), r(b, 4)}));
  ListOfWords again(words);
  EXPECT_EQ(formatted_size("%d%s%s", again.list), 10U);  // "7helloxyz" and its end
}

class KnownCallsTest : public UsesTest {
 protected:
  static bool tell(long number, std::array<long, 6> arguments) {
    fake::world().accesses.clear();
    return tell_call(number, arguments.data());
  }
};

TEST_F(KnownCallsTest, ACallDoesWhatItsFunctionDoes) {
  EXPECT_TRUE(tell(SYS_write, {1, reinterpret_cast<long>(a), 5}));
  ASSERT_EQ(fake::world().accesses.size(), 2U);
  EXPECT_EQ(fake::world().accesses[0], r(a, 5));
  EXPECT_EQ(fake::world().notes & abi::note_outside, 0U);
}

TEST_F(KnownCallsTest, WhatChangesFilesIsNoted) {
  EXPECT_TRUE(tell(SYS_unlink, {reinterpret_cast<long>(a)}));
  EXPECT_THAT(fake::world().accesses, ElementsAre(r(a, 6)));
  EXPECT_NE(fake::world().notes & abi::note_outside, 0U);
}

TEST_F(KnownCallsTest, WhatHasNoRowAccessesNothing) {
  EXPECT_TRUE(tell(SYS_getpid, {}));
  EXPECT_THAT(fake::world().accesses, IsEmpty());
}

TEST_F(KnownCallsTest, OthersAreNotKnown) { EXPECT_FALSE(tell(SYS_ptrace, {})); }

}  // namespace
}  // namespace heddle::runtime
