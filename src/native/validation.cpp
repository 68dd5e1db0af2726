// Validation of what a worker has written: the part of Decoder through which everything that
// arrives goes. The program under test maps the shared memory as well, and may write where it must
// not; and a worker may die at any moment.
#include <algorithm>
#include <bit>
#include <cstring>

#include "native/decoder.hpp"
#include "native/reply.hpp"

namespace heddle::native {
namespace {

template <typename Enum>
bool is_above(Enum value, Enum last) {
  return static_cast<std::uint64_t>(value) > static_cast<std::uint64_t>(last);
}

// A state for each event that it is asked for.
std::uint32_t most_digests(const abi::ReplyHeader& reply, const abi::RequestHeader& request) {
  if (request.compare == abi::Compare::nothing) return 0;
  return reply.event_count - std::min(reply.event_count, request.digest_from);
}

// A stretch for each event that it is asked for, and one before the first.
std::uint32_t most_stretches(const abi::ReplyHeader& reply, const abi::RequestHeader& request) {
  const std::uint32_t states = most_digests(reply, request);
  return request.compare == abi::Compare::nothing || request.digest_from != 0 ? states : states + 1;
}

// Each event has one at most, and they come in order.
const char* fault_in_stretches(ReplyReader& reader, const abi::ReplyHeader& reply,
                               const abi::RequestHeader& request) {
  const auto stretches = reader.several<abi::WireStretch>(reply.stretch_count);
  const auto acts = reader.several<abi::WireAct>(reply.act_count);
  std::uint64_t next = request.digest_from == 0 ? 0 : request.digest_from + std::uint64_t{1};
  for (const abi::WireStretch& s : stretches) {
    if (s.at < next || s.at > reply.event_count) return "event of a stretch";
    next = s.at + std::uint64_t{1};
    if (s.first > acts.size() || s.count > acts.size() - s.first) return "acts of a stretch";
  }
  return std::ranges::all_of(acts, StretchTable::is_possible) ? nullptr : "act";
}

const char* fault_in_race(const abi::WireRace& race) {
  if (is_above(race.sort, abi::RaceSort::suppressed)) return "sort of a race";
  if (race.first_thread >= abi::max_threads || race.second_thread >= abi::max_threads)
    return "thread of a race";
  return nullptr;
}

const char* fault_in_stacks(ReplyReader reader) {
  while (!reader.empty()) {
    const auto& stack = reader.one<abi::WireStack>();
    if (stack.thread > abi::max_threads) return "thread of a stack";
    reader.several<std::uint64_t>(stack.depth);
  }
  return nullptr;
}

const char* fault_in_details(ReplyReader reader, std::uint32_t events) {
  const auto& details = reader.one<abi::WireDetails>();
  for (std::uint32_t k = 0; k < details.spot_count; ++k) {
    const auto& spot = reader.one<abi::WireSpot>();
    if (spot.thread > abi::max_threads) return "thread of a spot";
    reader.several<abi::WireFrame>(spot.depth);
  }
  for (std::uint32_t k = 0; k < details.event_count; ++k) {
    const auto& detail = reader.one<abi::WireEventDetail>();
    if (detail.event >= events) return "event of a detail";
    reader.several<abi::WireFrame>(detail.depth);
  }
  for (const abi::WireBlock& block : reader.several<abi::WireBlock>(details.block_count))
    if (block.thread > abi::max_threads) return "thread of a block";
  return nullptr;
}

}  // namespace

const char* Decoder::fault_in_header(const abi::ReplyHeader& reply,
                                     const abi::RequestHeader& request) {
  if (reply.bytes % 8 != 0 || reply.bytes < sizeof reply) return "bytes";
  if (reply.serial != request.serial) return "serial";
  if (reply.ticket != request.ticket) return "ticket";
  if (is_above(reply.ending, abi::Ending::asleep)) return "ending";
  if (reply.ending == abi::Ending::known && request.compare != abi::Compare::known) return "ending";
  if (reply.ending == abi::Ending::asleep && request.asleep_count == 0) return "ending";
  if (reply.digest_count > most_digests(reply, request)) return "digest_count";
  if (reply.stretch_count > most_stretches(reply, request)) return "stretch_count";
  if (is_above(reply.finding, abi::Finding::nondeterminism)) return "finding";
  if (reply.finding_thread >= abi::max_threads) return "finding_thread";
  if (is_above(reply.held, abi::Held::bound)) return "held";
  if (is_above(reply.bound, abi::Bound::memory)) return "bound";
  if (reply.threads > abi::max_threads) return "threads";
  if ((reply.notes & ~abi::all_notes) != 0) return "notes";
  if (reply.ending == abi::Ending::diverged && reply.diverged_at > request.move_count)
    return "diverged_at";
  if (reply.left_blocked > abi::max_threads) return "left_blocked";
  return nullptr;
}

const char* Decoder::fault_in_event(const abi::WireEvent& event, std::size_t threads) {
  const std::uint32_t name = abi::step_name(event);
  if (event.move.thread >= threads) return "thread of an event";
  if (abi::is_pending(event) && event.move.alternative > static_cast<unsigned>(abi::Can::time_out))
    return "alternative of a pending step";
  if (is_decoded(name) && name != 0) return nullptr;
  if (!names_.has_step(name)) return "step of an event";
  if (!has_patterns_of(name)) return "pattern of a message";
  const bool known_threads =
      std::ranges::all_of(names_.step(name).accesses, [&](const abi::WireAccess& a) {
        return !tells_of_thread(static_cast<Mode>(abi::mode_bits(a))) || a.a < threads;
      });
  return known_threads ? nullptr : "thread of an access";
}

const char* Decoder::fault_in(const abi::ReplyHeader& reply, const abi::RequestHeader& request) {
  if (const char* fault = fault_in_header(reply, request)) return fault;
  const std::size_t threads = std::max<std::size_t>(reply.threads, knowledge_.threads);
  const char* part = "event_count";
  try {
    ReplyReader reader(reply);
    for (const abi::WireEvent& e : reader.events(reply, request.known_count))
      if (const char* fault = fault_in_event(e, threads)) return fault;
    part = "digest_count";
    reader.several<abi::WireDigest>(reply.digest_count);
    part = "stretch_count";
    if (const char* fault = fault_in_stretches(reader, reply, request)) return fault;
    part = "race_count";
    for (const abi::WireRace& race : reader.several<abi::WireRace>(reply.race_count))
      if (const char* fault = fault_in_race(race)) return fault;
    part = "text_bytes";
    reader.several<char>(reply.text_bytes);
    if (reply.text_bytes % 8 != 0) return part;
    part = "stack_words";
    if (const char* fault = fault_in_stacks(reader.part(reply.stack_words * std::uint64_t{8})))
      return fault;
    part = "detail_bytes";
    if (reply.detail_bytes == 0) return nullptr;
    return fault_in_details(reader.part(reply.detail_bytes), reply.event_count);
  } catch (const Overwritten&) {
    return part;
  }
}

// The last event may have no step name yet.
std::vector<std::uint64_t> Decoder::salvage(const abi::ReplyHeader& unfinished,
                                            const abi::RequestHeader& request) {
  abi::ReplyHeader out{};
  out.bytes = sizeof out;
  out.ticket = request.ticket;
  out.serial = request.serial;
  out.finding = abi::Finding::died;
  std::vector<std::uint64_t> words(sizeof out / 8);
  const bool believed = unfinished.threads <= abi::max_threads;
  out.event_count = std::min(unfinished.event_count, request.known_count);
  if (believed) {
    out.threads = unfinished.threads;
    out.going = unfinished.going < abi::max_threads ? unfinished.going : 0;
    out.going_at = unfinished.going_at;
    const std::size_t threads = std::max<std::size_t>(out.threads, knowledge_.threads);
    std::uint32_t left = unfinished.event_count - out.event_count;
    ReplyReader reader(unfinished);
    for (const abi::WireEvent& e : reader.rest<abi::WireEvent>()) {
      const bool pending = abi::is_pending(e);
      if (pending ? out.waiting_count == unfinished.waiting_count : left == 0) break;
      if (e.step == 0 ? e.move.thread >= threads : fault_in_event(e, threads) != nullptr) break;
      if (!pending) --left;
      ++(pending ? out.waiting_count : out.event_count);
      words.push_back(std::bit_cast<std::uint64_t>(e));
    }
  }
  out.bytes = words.size() * 8;
  std::memcpy(words.data(), &out, sizeof out);
  return words;
}

}  // namespace heddle::native
