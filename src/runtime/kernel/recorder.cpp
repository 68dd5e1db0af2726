// The recorder turns steps into the events of the reply.
//
// The problem. With its accesses, an event is some 40 bytes, and sending it from one core's cache
// to the other's would take most of the time of a run. But programs have few different steps, and
// the engine knows most of a run beforehand (docs/decisions/0013). So a step is built as a draft of
// words, found in the dictionary that all workers share, and sent by its name: eight bytes. Events
// that the engine knows (RequestHeader::known_count) are not sent; their hash is.
//
// The life of an event: begin_event, or begin_waiting for a pending step, opens it and reserves its
// place in the reply; add_access, set_value, set_varies and set_alternatives complete the draft
// (they are called by record_accesses in operations.cpp); end_event names the draft and writes the
// event. The event of an atomic block stays open while its thread continues: it is ended by the
// next begin, before a savepoint, or at the end of the run.
//
// Invariants.
// (1) At most one event is open, and only an open event has a draft.
// (2) An event is in the reply from its beginning, without its name: if the process dies in the
//     step, the engine sees which thread took it.
// (3) Pending steps are always sent, in their place among the events.
// (4) Equal steps have equal words, in all runs and in all workers. So nothing that differs between
//     processes goes into a draft. (Addresses do not: they are fixed.)
//
// What may not be done here: record anything in a trial (is_trying()), which is undone; or keep
// what a savepoint does not know of. `recent` may stay, as names in the dictionary never change.
#include "runtime/kernel/recorder.hpp"

#include <bit>
#include <cstddef>
#include <cstring>

#include "runtime/abi/naming.h"
#include "runtime/kernel/current.hpp"
#include "runtime/kernel/stop.hpp"
#include "runtime/sys/check.hpp"
#include "runtime/wire/channel.hpp"

namespace heddle::runtime {
namespace {

using abi::access_words, abi::max_accesses, abi::step_words;
constexpr std::uint64_t odd = 0x9e3779b97f4a7c15ULL, other_odd = 0xc2b2ae3d27d4eb4fULL;

// Parts of the draft and of the event. Both are made of whole words, as the processor is slow to
// read what was written in parts just before.
constexpr unsigned alternatives_shift = 8 * (offsetof(abi::WireStep, alternatives) % 8);
constexpr unsigned varies_shift = 8 * (offsetof(abi::WireStep, varies) % 8);
constexpr std::uint64_t valued_bit = std::uint64_t{1} << 8 * (offsetof(abi::WireStep, valued) % 8);
static_assert(step_words == 2 && access_words == 2 && offsetof(abi::WireStep, access_count) == 8);

constexpr unsigned alternative_shift = 8 * offsetof(abi::WireMove, alternative);
constexpr unsigned step_shift = 8 * offsetof(abi::WireEvent, step);

// The steps that were named last, of one access each: the dictionary is large, and this is small.
struct Recent {
  std::uint64_t words[step_words + access_words];
  std::uint32_t name;
};
constexpr unsigned recent_bits = 7;  // five kilobytes, a part of the first-level cache

struct Recorder {
  std::uint64_t event;  // a WireEvent
  std::uint64_t* sent;  // where it is sent, or null: the engine knows it
  bool open;
  std::uint64_t known_hash;
  abi::ReplyHeader so_far;           // as of the savepoint that was made last
  Recent recent[1U << recent_bits];  // outlives runs
  // The step as it would be in the dictionary: a WireStep and its accesses.
  std::uint64_t draft[step_words + max_accesses * access_words];
};
constinit Recorder recorder{};

std::uint32_t access_count() { return static_cast<std::uint32_t>(recorder.draft[1]); }

std::uint32_t look_up_draft() {
  const bool valued = (recorder.draft[1] & valued_bit) != 0;
  const std::uint32_t words = step_words + access_count() * access_words;
  const std::uint32_t name = abi::name_step(names().steps, recorder.draft, words, valued);
  if (name == abi::no_room) unsupported("a program with too many different steps");
  if (name != abi::without_value) return name;
  recorder.draft[1] ^= valued_bit;
  recorder.draft[step_words + 1] = 0;
  return look_up_draft();
}

std::uint32_t draft_name() {
  if (access_count() != 1) return look_up_draft();
  const auto& draft = recorder.draft;
  const std::uint64_t hash = draft[0] * odd ^ (draft[2] + draft[3]) * other_odd;
  Recent& r = recorder.recent[hash >> (64 - recent_bits)];
  if (r.words[0] == draft[0] && r.words[1] == draft[1] && r.words[2] == draft[2] &&
      r.words[3] == draft[3])
    return r.name;
  r.name = look_up_draft();
  std::memcpy(r.words, draft, sizeof r.words);
  return r.name;
}

void begin(abi::WireMove move, std::uint32_t step, std::uint16_t alternatives,
           const abi::Site* site, bool known) {
  HEDDLE_RUNTIME_CHECK(!is_trying());
  HEDDLE_RUNTIME_CHECK(move.thread < abi::max_threads && alternatives != 0);
  end_event();
  recorder.event = move.thread | std::uint64_t{move.alternative} << alternative_shift |
                   std::uint64_t{step} << step_shift;
  recorder.draft[0] = reinterpret_cast<std::uint64_t>(site);
  recorder.draft[1] = std::uint64_t{alternatives} << alternatives_shift;
  recorder.open = true;
  recorder.sent = nullptr;
  if (known) return;
  static_assert(sizeof(abi::WireEvent) == sizeof recorder.event);
  recorder.sent = add_to_reply<std::uint64_t>();
  if (recorder.sent == nullptr) unsupported("a run that takes too many steps");
  *recorder.sent = recorder.event;  // in case it is the last before the process dies
}

}  // namespace

void clear_recorder() {
  recorder.open = false;
  recorder.known_hash = 0;
}

void save_recorder(Savepoint& into) {
  HEDDLE_RUNTIME_CHECK(!recorder.open);
  recorder.so_far = reply();
  into.keep(recorder.so_far);
}

void resume_recording() {
  recorder.open = false;
  recorder.known_hash = recorder.so_far.known_hash;
  recorder.so_far.ticket = request().ticket;
  recorder.so_far.serial = request().serial;
  reply() = recorder.so_far;
}

void begin_draft() {
  end_event();
  recorder.draft[0] = 0;
  recorder.draft[1] = std::uint64_t{1} << alternatives_shift;
  recorder.open = true;
}

std::span<const abi::WireAccess> draft_accesses() {
  return {reinterpret_cast<const abi::WireAccess*>(recorder.draft + step_words), access_count()};
}

void drop_draft() { recorder.open = false; }

void begin_event(abi::WireMove move, std::uint16_t alternatives, const abi::Site* site) {
  begin(move, 0, alternatives, site, reply().event_count < request().known_count);
  ++reply().event_count;
}

void begin_waiting(unsigned id, abi::Can what, std::uint16_t alternatives, const abi::Site* site) {
  begin({static_cast<std::uint16_t>(id), static_cast<std::uint16_t>(what)}, abi::pending_bit,
        alternatives, site, false);
  ++reply().waiting_count;
}

void end_event() {
  if (!recorder.open) return;
  recorder.open = false;
  const std::uint32_t name = draft_name();
  HEDDLE_RUNTIME_CHECK(name != 0 && name < abi::dictionary_words);
  recorder.event |= std::uint64_t{name} << step_shift;
  if (recorder.sent != nullptr)
    *recorder.sent = recorder.event;
  else
    reply().known_hash = recorder.known_hash =
        abi::hash_after(recorder.known_hash, std::bit_cast<abi::WireEvent>(recorder.event));
}

abi::WireMove last_move() { return std::bit_cast<abi::WireEvent>(recorder.event).move; }

void add_access(std::uint64_t key, Mode mode, std::uint32_t a, std::uint32_t b) {
  HEDDLE_RUNTIME_CHECK(recorder.open);
  HEDDLE_RUNTIME_CHECK(key <= abi::below_mode);
  const std::uint32_t k = access_count();
  if (k == max_accesses) unsupported("a step with more than 65536 accesses");
  std::uint64_t* access = recorder.draft + step_words + k * access_words;
  access[0] = std::uint64_t{static_cast<std::uint8_t>(mode)} << abi::mode_shift | key;
  access[1] = std::uint64_t{b} << 32 | a;
  ++recorder.draft[1];
}

void set_varies(Varies how) {
  // The strongest variation counts.
  static_assert(Varies::no < Varies::mode && Varies::mode < Varies::anything &&
                Varies::anything < Varies::choices);
  HEDDLE_RUNTIME_CHECK(recorder.open);
  const std::uint64_t now = recorder.draft[1] >> varies_shift & 0xff;
  const auto bits = std::uint64_t{static_cast<std::uint8_t>(how)};
  if (bits > now) recorder.draft[1] ^= (now ^ bits) << varies_shift;
}

void set_alternatives(std::uint16_t alternatives) {
  HEDDLE_RUNTIME_CHECK(recorder.open && alternatives != 0);
  const std::uint64_t now = recorder.draft[1] >> alternatives_shift & 0xffff;
  recorder.draft[1] ^= (now ^ alternatives) << alternatives_shift;
}

void set_value(std::uint64_t value) {
  HEDDLE_RUNTIME_CHECK(recorder.open);
  if (access_count() != 1) return;
  recorder.draft[1] |= valued_bit;
  recorder.draft[step_words + 1] = value;
}

}  // namespace heddle::runtime
