// Everything that arrives from a worker is checked: for each field, a reply in which it is wrong.
#include "native/decoder.hpp"

#include <gtest/gtest.h>

#include "fake_worker.hpp"

namespace heddle::native {
namespace {

class DecoderTest : public testing::Test {
 protected:
  SharedNames names;
  Knowledge knowledge;
  Decoder decoder{names, knowledge, abi::Races::report};
  TinyProgram program{names, 2, 2};
  const std::vector<Move> schedule = {{1, 0}, {0, 0}};
  const abi::RequestHeader request = [] {
    abi::RequestHeader out{};
    out.ticket = 17;
    out.move_count = 2;
    out.serial = 5;
    return out;
  }();
  Words reply = program.reply(request, schedule);

  abi::ReplyHeader& header() { return header_of(reply); }
  abi::WireEvent& event(std::size_t k) {
    return reinterpret_cast<abi::WireEvent*>(reply.data() + sizeof(abi::ReplyHeader) / 8)[k];
  }
  std::string fault() {
    const char* out = decoder.fault_in(header(), request);
    return out == nullptr ? "" : out;
  }
  template <typename T>
  void add(const T& part) {
    append(reply, &part, sizeof part);
  }
  void add_text(const char* text) {
    char padded[64] = {};
    std::strncpy(padded, text, sizeof padded - 1);
    append(reply, padded, sizeof padded);
    header().text_bytes = sizeof padded;
  }
  // A race, a text, two stacks, and details of two spots, an event and a block.
  void add_all() {
    add(abi::WireRace{0x10, 0x20, 0x30, 0, 0, 1, 3, 1, 0x0f, 0xff, abi::RaceSort::finding});
    header().race_count = 1;
    add_text("it fails");
    for (const std::uint64_t word : {1UL, 2UL, 0xaUL, 0xbUL, 0UL, 0UL}) add(word);
    header().stack_words = 6;
    const std::size_t before = reply.size();
    add(abi::WireDetails{2, 1, 1, 3});
    abi::WireSpot spot{};
    spot.thread = 1;
    spot.depth = 1;
    add(spot);
    add(abi::WireFrame{1, 2, 3});
    spot.depth = 0;
    add(spot);
    add(abi::WireEventDetail{{0x1000, 8, 1, 2, 3, {}}, 2, 1});
    add(abi::WireFrame{4, 5, 6});
    add(abi::WireBlock{0x5000, 16, 0, 0, abi::max_threads, 0});
    header().detail_bytes = static_cast<std::uint32_t>((reply.size() - before) * 8);
  }
  // The k-th word of the part that begins this number of words after the events.
  std::uint64_t& after_events(std::size_t k) {
    return reply[sizeof(abi::ReplyHeader) / 8 + header().event_count + k];
  }
  static constexpr std::size_t race_words = sizeof(abi::WireRace) / 8;
  static constexpr std::size_t stacks_at = race_words + 8, details_at = stacks_at + 6;
  static constexpr std::size_t first_spot_at = details_at + sizeof(abi::WireDetails) / 8;
};

TEST_F(DecoderTest, AcceptsWhatAWorkerWrites) {
  EXPECT_EQ(fault(), "");
  add_all();
  EXPECT_EQ(fault(), "");
}

struct WrongField {
  const char* name;
  void (*spoil)(abi::ReplyHeader& reply);
};

class WrongHeader : public DecoderTest, public testing::WithParamInterface<WrongField> {};

TEST_P(WrongHeader, IsRejected) {
  GetParam().spoil(header());
  EXPECT_EQ(fault(), GetParam().name);
}

constexpr WrongField wrong_fields[] = {
    {"bytes", [](abi::ReplyHeader& r) { r.bytes -= 1; }},
    {"bytes", [](abi::ReplyHeader& r) { r.bytes = 8; }},
    {"serial", [](abi::ReplyHeader& r) { ++r.serial; }},
    {"ticket", [](abi::ReplyHeader& r) { ++r.ticket; }},
    {"ending", [](abi::ReplyHeader& r) { r.ending = static_cast<abi::Ending>(8); }},
    {"finding", [](abi::ReplyHeader& r) { r.finding = static_cast<abi::Finding>(19); }},
    {"finding_thread", [](abi::ReplyHeader& r) { r.finding_thread = abi::max_threads; }},
    {"held", [](abi::ReplyHeader& r) { r.held = static_cast<abi::Held>(5); }},
    {"bound", [](abi::ReplyHeader& r) { r.bound = static_cast<abi::Bound>(8); }},
    {"threads", [](abi::ReplyHeader& r) { r.threads = abi::max_threads + 1; }},
    {"notes", [](abi::ReplyHeader& r) { r.notes = 1U << 31; }},
    {"diverged_at",
     [](abi::ReplyHeader& r) {
       r.ending = abi::Ending::diverged;
       r.diverged_at = 3;
     }},
    {"left_blocked", [](abi::ReplyHeader& r) { r.left_blocked = abi::max_threads + 1; }},
    {"event_count", [](abi::ReplyHeader& r) { ++r.event_count; }},
    {"event_count", [](abi::ReplyHeader& r) { r.event_count = ~0U; }},
    {"event_count", [](abi::ReplyHeader& r) { r.waiting_count = 1; }},
    {"digest_count", [](abi::ReplyHeader& r) { r.digest_count = 1; }},
    {"stretch_count", [](abi::ReplyHeader& r) { r.stretch_count = 1; }},
    {"stretch_count", [](abi::ReplyHeader& r) { r.act_count = 1; }},
    {"race_count", [](abi::ReplyHeader& r) { r.race_count = 1; }},
    {"race_count", [](abi::ReplyHeader& r) { r.race_count = ~0U; }},
    {"text_bytes", [](abi::ReplyHeader& r) { r.text_bytes = 8; }},
    {"text_bytes",
     [](abi::ReplyHeader& r) {
       --r.event_count;
       r.text_bytes = 3;
     }},
    {"stack_words", [](abi::ReplyHeader& r) { r.stack_words = 1; }},
    {"stack_words",
     [](abi::ReplyHeader& r) {  // no room for the head of a stack
       --r.event_count;
       r.stack_words = 1;
     }},
    {"detail_bytes", [](abi::ReplyHeader& r) { r.detail_bytes = 16; }},
    {"detail_bytes",
     [](abi::ReplyHeader& r) {  // no room for its own head
       --r.event_count;
       r.detail_bytes = 8;
     }},
};
std::string name_of_field(const testing::TestParamInfo<WrongField>& field) {
  return std::to_string(field.index) + "_" + field.param.name;
}
INSTANTIATE_TEST_SUITE_P(Fields, WrongHeader, testing::ValuesIn(wrong_fields), name_of_field);

TEST_F(DecoderTest, RejectsEvents) {
  const abi::WireEvent right = event(1);
  event(1).move.thread = 2;
  EXPECT_EQ(fault(), "thread of an event");
  event(1) = right;
  event(1).step = 0;
  EXPECT_EQ(fault(), "step of an event");
  event(1).step = right.step + 1;
  EXPECT_EQ(fault(), "step of an event");
  event(1).step = ~abi::pending_bit;
  EXPECT_EQ(fault(), "step of an event");
  event(1) = right;
  event(1).step |= abi::pending_bit;
  event(1).move.alternative = static_cast<std::uint16_t>(abi::Can::time_out) + 1;
  EXPECT_EQ(fault(), "alternative of a pending step");
  // A step that tells of a thread that is not there.
  const abi::WireAccess joined{abi::with_mode(0, static_cast<std::uint8_t>(Mode::joined)), 2, 0};
  event(1) = {right.move, named_step(names, 1, {&joined, 1})};
  EXPECT_EQ(fault(), "thread of an access");
  header().threads = 3;
  EXPECT_EQ(fault(), "");
}

// A name that was accepted once is accepted again without another look; 0 is not, though what a
// dead worker had written may have it.
TEST_F(DecoderTest, RejectsEventsWithoutNamesLater) {
  DecodedRun run;
  event(0).step = 0;
  decoder.decode(header_of(decoder.salvage(header(), request)), {}, run);
  EXPECT_EQ(run.events.size(), 4U);
  EXPECT_EQ(fault(), "step of an event");
}

TEST_F(DecoderTest, RejectsRacesStacksAndDetails) {
  add_all();
  const auto spoil = [&](std::size_t at, std::uint64_t value, const char* expected) {
    const std::uint64_t right = after_events(at);
    after_events(at) = value;
    EXPECT_EQ(fault(), expected) << at;
    after_events(at) = right;
    EXPECT_EQ(fault(), "");
  };
  const std::uint64_t race = after_events(4);  // threads, bits, sort
  spoil(4, (race & ~(0xffffULL << 48)) | 4ULL << 48, "sort of a race");
  spoil(4, (race & ~0xffULL) | abi::max_threads, "thread of a race");
  spoil(4, (race & ~0xff00ULL) | std::uint64_t{abi::max_threads} << 8, "thread of a race");
  spoil(stacks_at, abi::max_threads + 1, "thread of a stack");
  spoil(stacks_at + 1, 5, "stack_words");
  spoil(stacks_at + 1, ~0ULL, "stack_words");
  spoil(stacks_at + 1, 1, "stack_words");
  constexpr std::size_t thread_at = offsetof(abi::WireSpot, at) / 8;
  spoil(first_spot_at + thread_at, std::uint64_t{abi::max_threads + 1} << 32, "thread of a spot");
  spoil(first_spot_at + offsetof(abi::WireSpot, depth) / 8, ~0ULL, "detail_bytes");
  spoil(details_at, 0xffffffff00000002ULL, "detail_bytes");  // events
  spoil(details_at + 1, 0xffffffffULL, "detail_bytes");      // blocks
  const std::size_t event_at = first_spot_at + 2 * sizeof(abi::WireSpot) / 8 + 3;
  const std::size_t number_at = event_at + offsetof(abi::WireEventDetail, event) / 8;
  spoil(number_at, 1ULL << 32 | 4, "event of a detail");
  spoil(number_at, 0xffffffffULL << 32 | 2, "detail_bytes");
  const std::size_t block_at = event_at + sizeof(abi::WireEventDetail) / 8 + 3;
  spoil(block_at + offsetof(abi::WireBlock, thread) / 8, abi::max_threads + 1, "thread of a block");
}

// A reply with stretches of the beginning and of the second event: three acts, two of them shared.
class StretchDecoderTest : public DecoderTest {
 protected:
  StretchDecoderTest() {
    asked.compare = abi::Compare::digests;
    add(stretches);
    add(acts);
    header().stretch_count = 2;
    header().act_count = 3;
  }
  std::string fault() {
    Words copy = reply;
    const std::size_t at = sizeof(abi::ReplyHeader) / 8 + header().event_count;
    std::memcpy(copy.data() + at, stretches, sizeof stretches);
    std::memcpy(copy.data() + at + sizeof stretches / 8, acts, sizeof acts);
    const char* out = decoder.fault_in(header_of(copy), asked);
    return out == nullptr ? "" : out;
  }

  abi::RequestHeader asked = request;
  abi::WireStretch stretches[2] = {{0, 0, 2, 0}, {2, 1, 2, 0}};
  abi::WireAct acts[3] = {
      {abi::ActKind::replace, 0, 0, 0, 0, abi::knowing_threads | 1, abi::knowing_threads, 0},
      {abi::ActKind::access, 1, 0x0f, abi::bit_plain | abi::bit_write, 3, 0x200, 0x77, 0},
      {abi::ActKind::forget, 0, 0, 0, 0, 0x55, 0, 0}};
};

TEST_F(StretchDecoderTest, AcceptsAndDecodes) {
  ASSERT_EQ(fault(), "");
  DecodedRun run;
  decoder.decode(header(), {}, run);
  ASSERT_EQ(run.told.size(), 2U);
  EXPECT_EQ(run.told[0].first, 0U);
  EXPECT_EQ(run.told[1].first, 2U);
  const auto of = [&](std::size_t k) {
    return decoder.stretches().stretches().acts(run.told[k].second);
  };
  ASSERT_EQ(of(0).size(), 2U);
  EXPECT_EQ(of(0)[0].kind, Act::Kind::replace);
  EXPECT_NE(of(0)[0].to, of(0)[0].from);
  const PlainAccess& access = of(0)[1].what;
  EXPECT_EQ(access.thread, of(0)[0].to);  // the thread that was created
  EXPECT_EQ(access.granule, 0x200U);
  EXPECT_EQ(access.granules, 3U);
  EXPECT_EQ(access.bytes, 0x0f);
  EXPECT_TRUE(access.writes && !access.atomic && !access.ends);
  EXPECT_EQ(decoder.stretches().place_of(access).site, 0x77U);
  ASSERT_EQ(of(1).size(), 2U);
  EXPECT_EQ(of(1)[0], of(0)[1]);
  EXPECT_EQ(of(1)[1].kind, Act::Kind::forget);
}

TEST_F(StretchDecoderTest, RejectsWhatNoWorkerTells) {
  const auto spoil = [&](auto& field, auto value, const char* expected) {
    const auto right = field;
    field = value;
    EXPECT_EQ(fault(), expected);
    field = right;
    EXPECT_EQ(fault(), "");
  };
  spoil(stretches[1].at, 0U, "event of a stretch");
  spoil(stretches[1].at, header().event_count + 1, "event of a stretch");
  spoil(asked.digest_from, 2U, "event of a stretch");
  spoil(stretches[0].first, 4U, "acts of a stretch");
  spoil(stretches[0].count, 4U, "acts of a stretch");
  spoil(stretches[0].count, ~0U, "acts of a stretch");
  spoil(acts[0].kind, static_cast<abi::ActKind>(4), "act");
  spoil(acts[1].thread, std::uint8_t{abi::max_threads}, "act");
  spoil(acts[1].mask, std::uint8_t{0}, "act");
  spoil(acts[1].bits, std::uint8_t{0x80}, "act");
  spoil(acts[1].count, 0U, "act");
  spoil(acts[1].first, ~std::uint64_t{0}, "act");
  spoil(acts[1].first, (std::uint64_t{1} << 45) - 2, "act");
  spoil(asked.compare, abi::Compare::nothing, "stretch_count");
}

// Whether a race says something new, by what is known: as workers judge it.
TEST_F(StretchDecoderTest, KnowsWhichRacesMatter) {
  DecodedRun run;
  decoder.decode(header(), {}, run);
  const PlainAccess plain = decoder.stretches().stretches().acts(run.told[0].second)[1].what;
  const RacingPair race(plain, plain);
  EXPECT_TRUE(decoder.is_finding(race));
  EXPECT_TRUE(decoder.counts_as_race(race));
  decoder.make_visible(race);
  EXPECT_EQ(knowledge.visible, (std::set<std::uint64_t>{0x2000f, 0x2010f, 0x2020f}));
  EXPECT_TRUE(decoder.counts_as_race(race));  // a finding all the same

  Decoder explores{names, knowledge, abi::Races::explore};
  explores.decode(header(), {}, run);
  EXPECT_FALSE(explores.is_finding(race));
  EXPECT_FALSE(explores.counts_as_race(race));
  knowledge.visible.erase(0x2010f);
  EXPECT_TRUE(explores.counts_as_race(race));

  acts[1].bits |= abi::bit_benign;
  std::memcpy(&after_events(sizeof stretches / 8), acts, sizeof acts);
  Decoder again{names, knowledge, abi::Races::report};
  again.decode(header(), {}, run);
  EXPECT_FALSE(again.is_finding(race));
  EXPECT_TRUE(again.counts_as_race(race));
  again.make_visible(race);
  EXPECT_FALSE(again.counts_as_race(race));

  acts[1].bits ^= abi::bit_benign;
  acts[1].third = 0x99;
  std::memcpy(&after_events(sizeof stretches / 8), acts, sizeof acts);
  Decoder suppresses{names, knowledge, abi::Races::report};
  suppresses.decode(header(), {}, run);
  EXPECT_TRUE(suppresses.is_finding(race));
  knowledge.pardoned[abi::name_of_stacks(0x99, 0x99)] = {};
  EXPECT_FALSE(suppresses.is_finding(race));
  EXPECT_FALSE(suppresses.counts_as_race(race));
}

TEST_F(DecoderTest, DecodesEventsAndOutcome) {
  header().finding = abi::Finding::assertion;
  header().finding_thread = 1;
  header().site = 0x77;
  header().notes = abi::note_outcome;
  header().outcome = 42;
  add_text("it fails");
  DecodedRun run;
  decoder.decode(header(), {}, run);
  ASSERT_EQ(run.events.size(), 4U);
  EXPECT_EQ(run.events[0].move, (Move{1, 0}));
  EXPECT_EQ(run.events[1].move, (Move{0, 0}));
  EXPECT_NE(run.events[0].step, run.events[1].step);
  EXPECT_EQ(run.events[0].footprint, run.events[1].footprint);  // both write the variable
  EXPECT_EQ(decoder.site_of(run.events[1].step), 0x100U);
  EXPECT_EQ(run.log.outcome, (Outcome{abi::Finding::assertion, 1, "it fails", 0x77, 42}));
  // Nothing of it is left in the next.
  const Words next = program.reply(request, schedule);
  decoder.decode(header_of(next), {}, run);
  EXPECT_EQ(run.log.outcome, Outcome{});
}

TEST_F(DecoderTest, PutsKnownEventsFirst) {
  DecodedRun all, rest;
  decoder.decode(header(), {}, all);
  abi::RequestHeader short_request = request;
  short_request.known_count = 3;
  const Words short_reply = program.reply(short_request, schedule);
  EXPECT_EQ(header_of(short_reply).bytes, sizeof(abi::ReplyHeader) + 8);
  ASSERT_EQ(decoder.fault_in(header_of(short_reply), short_request), nullptr);
  decoder.decode(header_of(short_reply), std::span(all.events).first(3), rest);
  EXPECT_EQ(rest.events, all.events);
  EXPECT_EQ(rest.log.known, 3U);
}

TEST_F(DecoderTest, ListsChoicesAndPendingSteps) {
  const abi::WireAccess lock{abi::with_mode(0x2000, static_cast<std::uint8_t>(Mode::lock)), 0, 0};
  const std::uint32_t step = named_step(names, 1, {&lock, 1}) | abi::pending_bit;
  const std::uint32_t choice = named_step(names, 2, {}, 3, Varies::choices) | abi::pending_bit;
  add(abi::WireEvent{{0, static_cast<std::uint16_t>(abi::Can::wait)}, step});
  add(abi::WireEvent{{1, static_cast<std::uint16_t>(abi::Can::time_out)}, step});
  add(abi::WireEvent{{1, static_cast<std::uint16_t>(abi::Can::proceed)}, choice});
  header().waiting_count = 3;
  ASSERT_EQ(fault(), "");
  DecodedRun run;
  decoder.decode(header(), {}, run);
  EXPECT_EQ(run.choices, (std::vector<Move>{{1, 1}, {1, 0}, {1, 1}, {1, 2}}));
  EXPECT_EQ(run.choosers, std::vector<ThreadId>{1});
  ASSERT_EQ(run.pending.size(), 2U);
  EXPECT_EQ(run.pending[1].thread, 1);
  EXPECT_EQ(run.pending[1].at, 4U);
}

// A worker names steps ahead of what has been decoded, and how far ahead differs from time to time.
TEST_F(DecoderTest, KnowsOfUsesOnlyWhatItHasDecoded) {
  const auto step_that = [&](Mode mode) {
    const abi::WireAccess access{abi::with_mode(0x2000, static_cast<std::uint8_t>(mode)), 0, 0};
    return named_step(names, 0x300, {&access, 1}, 1, Varies::mode);
  };
  const auto decoded = [&](std::uint32_t step) {
    event(0).step = step;
    EXPECT_EQ(fault(), "");
    DecodedRun run;
    decoder.decode(header(), {}, run);
    return run.log.events[0];
  };
  const Event done = decoded(step_that(Mode::try_lock));
  const Access use{0, Mode::try_lock_fail};
  EXPECT_FALSE(decoder.with_use(done, use));
  const std::uint32_t failed = step_that(Mode::try_lock_fail);
  EXPECT_FALSE(decoder.with_use(done, use));
  const Event event = decoded(failed);
  const std::optional<Event> there = decoder.with_use(done, use);
  ASSERT_TRUE(there);
  EXPECT_EQ(there->step, event.step);
  EXPECT_EQ(there->footprint, event.footprint);
}

TEST_F(DecoderTest, LearnsWhatCannotBeKnownBefore) {
  DecodedRun run;
  header().threads = 3;
  const auto learns = [&] {
    decoder.decode(header(), {}, run);
    return run.log.learned;
  };
  EXPECT_TRUE(learns());
  EXPECT_EQ(knowledge.threads, 3U);
  header().notes = abi::note_semaphore_value | abi::note_block_choice;
  EXPECT_TRUE(learns());
  EXPECT_TRUE(knowledge.semaphore_values);
  EXPECT_TRUE(knowledge.block_choices);
  add(abi::WireRace{0x10, 0x20, 0x3ff, 0, 0, 1, 3, 1, 0xff, 0xff, abi::RaceSort::finding});
  header().race_count = 1;
  EXPECT_FALSE(learns());                     // it is to be reported
  after_events(4) |= std::uint64_t{1} << 48;  // observed
  EXPECT_TRUE(learns());
  EXPECT_TRUE(knowledge.visible.contains(0x3ff));
  EXPECT_FALSE(learns());
}

TEST_F(DecoderTest, ReadsDetails) {
  add_all();
  header().finding = abi::Finding::data_race;
  ASSERT_EQ(fault(), "");
  const Explanation run = decoder.details(header());
  EXPECT_EQ(run.outcome.text, "it fails");
  EXPECT_EQ(run.steps.size(), 4U);
  EXPECT_EQ(run.moves().front(), (Move{1, 0}));
  ASSERT_EQ(run.stacks.size(), 2U);
  EXPECT_EQ(run.stacks[0].thread, 1U);
  EXPECT_EQ(run.stacks[0].frames, (std::vector<std::uint64_t>{0xa, 0xb}));
  EXPECT_TRUE(run.stacks[1].frames.empty());
  EXPECT_EQ(run.spots.size(), 2U);
  EXPECT_EQ(run.spots[0].frames.at(0).stack_pointer, 2U);
  EXPECT_EQ(run.steps[2].value.after, 2U);
  EXPECT_EQ(run.steps[2].frames.at(0).code, 4U);
  EXPECT_EQ(run.blocks.at(0).address, 0x5000U);
  EXPECT_EQ(run.races.size(), 1U);
  EXPECT_EQ(run.finding_at, 3U);
}

TEST_F(DecoderTest, SalvagesWhatCanBe) {
  const auto salvaged = [&] {
    const Words words = decoder.salvage(header(), request);
    const abi::ReplyHeader& out = header_of(words);
    EXPECT_EQ(out.bytes, words.size() * 8);
    EXPECT_EQ(decoder.fault_in(out, request) == nullptr || event(out.event_count - 1).step == 0,
              true);
    return out.event_count;
  };
  EXPECT_EQ(salvaged(), 4U);
  header().event_count = 2;  // others were written before, by another run
  EXPECT_EQ(salvaged(), 2U);
  header().event_count = 4;
  event(3).step = 0;  // it died in this step
  EXPECT_EQ(salvaged(), 4U);
  event(2).move.thread = 40;
  EXPECT_EQ(salvaged(), 2U);
  header().threads = 1000;  // nothing is believed
  EXPECT_EQ(header_of(decoder.salvage(header(), request)).event_count, 0U);
}

}  // namespace
}  // namespace heddle::native
