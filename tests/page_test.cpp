// What HTML pages are made of: foreign text, links between rows, and threads that wait for others.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "report/links.hpp"
#include "report/markup.hpp"
#include "report/page_files.hpp"
#include "report/utf8.hpp"
#include "report/waiting.hpp"

namespace heddle::report {
namespace {

using findings::Action;
using findings::Origin;
using findings::Row;
using findings::Trace;
using findings::Verb;

Row step(std::size_t number, unsigned thread, Verb verb, ObjectClass kind,
         const std::string& object) {
  Row row;
  row.number = number;
  row.thread = thread;
  row.verb = verb;
  row.actions = {Action{verb, {kind, object, 0x1000, 4}}};
  return row;
}

Row waiting(unsigned thread, Verb verb, ObjectClass kind, const std::string& object,
            std::vector<findings::Holder> holders = {}) {
  Row row = step(0, thread, verb, kind, object);
  row.kind = Row::Kind::waits;
  row.holders = std::move(holders);
  return row;
}

using Pairs = std::vector<std::pair<std::string, std::size_t>>;

Pairs pairs_of(const std::vector<Link>& links) {
  Pairs out;
  for (const Link& link : links) out.emplace_back(name_of(link.kind), link.row);
  return out;
}

TEST(Markup, ForeignTextIsText) {
  EXPECT_EQ(escaped("</script><b a=\"1\" b='2'>&"),
            "&lt;/script&gt;&lt;b a=&quot;1&quot; b=&#39;2&#39;&gt;&amp;");
  EXPECT_EQ(island(Json("</script>&")), "\"\\u003c/script\\u003e\\u0026\"");
  EXPECT_EQ(Json::parse(island(Json("<&>"))), Json("<&>"));
}

TEST(Markup, WhatIsUnseenIsWrittenOut) {
  EXPECT_EQ(visible("a\u202eb\u200bc\u2069"), "a‹U+202E›b‹U+200B›c‹U+2069›");
  EXPECT_EQ(visible(std::string("\0\x1b\x7f\r", 4)), "‹U+0000›‹U+001B›‹U+007F›‹U+000D›");
  EXPECT_EQ(visible("\ttab\nline é 漢 → \U0001f600"), "\ttab\nline é 漢 → \U0001f600");
  EXPECT_EQ(visible("\ufffe\U0001ffff\U000e0041"), "‹U+FFFE›‹U+1FFFF›‹U+E0041›");
}

TEST(Markup, BytesThatAreNotUtf8AreWrittenOut) {
  EXPECT_EQ(visible("a\xff"), "a‹0xFF›");
  EXPECT_EQ(visible("\xc3"), "‹0xC3›");                      // the end is missing
  EXPECT_EQ(visible("\xc0\xbc"), "‹0xC0›‹0xBC›");            // '<', longer than it has to be
  EXPECT_EQ(visible("\xe0\x80\xbc"), "‹0xE0›‹0x80›‹0xBC›");  // so is this
  EXPECT_EQ(visible("\xed\xa0\x80"), "‹0xED›‹0xA0›‹0x80›");  // half of a pair
  EXPECT_EQ(visible("\xf4\x90\x80\x80"), "‹0xF4›‹0x90›‹0x80›‹0x80›");  // beyond the last
}

TEST(Utf8, LengthsAndCodes) {
  const std::string text = "aé漢\U0001f600";
  EXPECT_EQ(character_at(text, 0).code, U'a');
  EXPECT_EQ(character_at(text, 1).code, U'é');
  EXPECT_EQ(character_at(text, 3).code, U'漢');
  EXPECT_EQ(character_at(text, 6).code, U'\U0001f600');
  EXPECT_EQ(character_at(text, 6).length, 4U);
  EXPECT_FALSE(character_at(text, 2).valid);
}

TEST(Links, ValuesLocksAndThreads) {
  Trace trace;
  trace.rows = {step(1, 0, Verb::create, ObjectClass::thread, "1"),
                step(2, 1, Verb::write, ObjectClass::memory, "x"),
                step(3, 1, Verb::unlock, ObjectClass::mutex, "m"),
                step(4, 0, Verb::read, ObjectClass::memory, "x"),
                step(5, 0, Verb::lock, ObjectClass::mutex, "m"),
                step(6, 0, Verb::read, ObjectClass::memory, "y")};
  trace.rows[3].origin = {Origin::Relation::from, {1}, 2};
  trace.rows[4].origin = {Origin::Relation::after, {1}, 3};
  trace.rows[5].origin = {Origin::Relation::after, {1}, 0};  // it has joined thread 1
  const auto links = links_of(trace);
  EXPECT_EQ(pairs_of(links[0]), Pairs{});
  EXPECT_EQ(pairs_of(links[1]), (Pairs{{"create", 0}}));
  EXPECT_EQ(pairs_of(links[2]), Pairs{});
  EXPECT_EQ(pairs_of(links[3]), (Pairs{{"reads", 1}}));
  EXPECT_EQ(pairs_of(links[4]), (Pairs{{"lock", 2}}));
  EXPECT_EQ(pairs_of(links[5]), (Pairs{{"join", 2}}));
}

TEST(Links, RacesAndWakeUps) {
  Trace trace;
  trace.rows = {step(0, 1, Verb::write, ObjectClass::memory, "x"),
                step(1, 1, Verb::signal, ObjectClass::condition, "c"),
                step(0, 0, Verb::read, ObjectClass::memory, "x"),
                step(2, 2, Verb::wake, ObjectClass::condition, "c"),
                waiting(3, Verb::lock, ObjectClass::mutex, "m", {{1, 1}})};
  trace.rows[0].kind = trace.rows[2].kind = Row::Kind::access;
  trace.rows[2].origin = {Origin::Relation::races, {1}, 0};
  trace.rows[3].origin = {Origin::Relation::from, {1}, 1};
  const auto links = links_of(trace);
  EXPECT_EQ(pairs_of(links[2]), (Pairs{{"race", 0}}));  // not the latest row of the thread
  EXPECT_EQ(pairs_of(links[3]), (Pairs{{"wake", 1}}));
  EXPECT_EQ(pairs_of(links[4]), (Pairs{{"waits", 1}}));
}

TEST(Waiting, CircleAndWhatHangsOnIt) {
  Trace trace;
  trace.rows = {waiting(0, Verb::join, ObjectClass::thread, "1"),
                waiting(1, Verb::lock, ObjectClass::mutex, "b", {{2, 5}}),
                waiting(2, Verb::lock, ObjectClass::mutex, "a", {{1, 4}}),
                waiting(3, Verb::wake, ObjectClass::condition, "c")};
  const std::vector<Wait> waits = waits_of(trace);
  ASSERT_EQ(waits.size(), 3U);  // what waits for a signal waits for no thread
  EXPECT_FALSE(waits[0].circular);
  EXPECT_EQ(waits[0].object, "");
  EXPECT_TRUE(waits[1].circular);
  EXPECT_EQ(waits[1].for_thread, 2U);
  EXPECT_EQ(waits[1].since, 5U);
  EXPECT_EQ(circle_of(waits), (std::vector<unsigned>{1, 2}));
}

TEST(Waiting, ForItself) {
  Trace trace;
  trace.rows = {waiting(1, Verb::lock, ObjectClass::mutex, "m", {{1, 3}})};
  EXPECT_EQ(circle_of(waits_of(trace)), std::vector<unsigned>{1});
}

TEST(PageFiles, AreWholeAndCannotEndTheirElement) {
  EXPECT_TRUE(page_style.text.ends_with("}\n"));
  EXPECT_TRUE(page_script.text.ends_with("})();\n"));
  EXPECT_EQ(page_style.text.find("</"), std::string_view::npos);
  EXPECT_EQ(page_script.text.find("</"), std::string_view::npos);
  EXPECT_EQ(page_style.hash.size(), std::string_view("sha256-").size() + 44);
}

}  // namespace
}  // namespace heddle::report
