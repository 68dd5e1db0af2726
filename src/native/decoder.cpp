#include "native/decoder.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "model/messages.hpp"
#include "native/reply.hpp"
#include "runtime/abi/messages.h"

namespace heddle::native {
namespace {

constexpr FootprintId not_decoded = ~FootprintId{0};

}  // namespace

Decoder::Decoder(SharedNames& names, Knowledge& knowledge, abi::Races races)
    : names_(names), knowledge_(knowledge), races_(races), locations_(knowledge) {}

void Decoder::decode(const abi::ReplyHeader& reply, std::span<const Event> known,
                     DecodedRun& out) try {
  HEDDLE_CHECK(reply.threads <= abi::max_threads);  // it went through fault_in or salvage
  Log& log = out.log;
  log.ticket = reply.ticket;
  log.learned = learn_from_header(reply);
  if (log.learned) return;
  ReplyReader reader(reply);
  log.known = std::min<std::size_t>(reply.event_count, known.size());
  out.events.assign(known.begin(), known.begin() + static_cast<std::ptrdiff_t>(log.known));
  decode_events(reader.events(reply, known.size()), out);
  out.digests.clear();
  for (const abi::WireDigest& d : reader.several<abi::WireDigest>(reply.digest_count))
    out.digests.emplace_back(d.first, d.second);
  const auto stretches = reader.several<abi::WireStretch>(reply.stretch_count);
  decode_stretches(stretches, reader.several<abi::WireAct>(reply.act_count), out);
  const auto races = reader.several<abi::WireRace>(reply.race_count);
  log.learned = !races.empty() && learn_races(races);
  if (log.learned) return;
  out.races.clear();
  for (const abi::WireRace& race : races)
    if (race.sort == abi::RaceSort::finding && race.first_site != 0)
      out.races.emplace_back(stretches_.first_of(race), stretches_.second_of(race));
  log.races = std::span(out.races).first(std::min<std::size_t>(1, out.races.size()));
  HEDDLE_CHECK(log.known <= out.events.size() && out.events.size() == reply.event_count);
  log.events = out.events;
  log.pending = out.pending;
  log.digests = out.digests;
  log.ending = ending_of(reply.ending);
  log.diverged_at = reply.diverged_at;
  log.outcome.finding = reply.finding;
  log.outcome.thread = reply.finding_thread;
  log.outcome.text = reader.text(reply.text_bytes);
  log.outcome.site = reply.site;
  log.outcome.value = value_of(reply);
  log.outcome.dying_move.reset();
  if (log.ending == Ending::diverged) log.why_diverged = log.outcome.text;
} catch (const Learned&) {
  out.log.learned = true;
}

void Decoder::decode_events(std::span<const abi::WireEvent> events, DecodedRun& out) {
  out.pending.clear();
  out.choices.clear();
  out.choosers.clear();
  for (const abi::WireEvent& e : events) {
    const std::uint32_t name = abi::step_name(e);
    const Step& step = step_of(name);
    if (abi::is_pending(e))
      decode_pending(e, step, out);
    else
      out.events.push_back({{e.move.thread, e.move.alternative},
                            step.footprint,
                            name,
                            step.alternatives,
                            step.value});
  }
}

// In the reply to Then::list, the threads that can continue are listed among the pending steps.
void Decoder::decode_pending(const abi::WireEvent& e, const Step& step, DecodedRun& out) {
  HEDDLE_CHECK(e.move.alternative <= static_cast<unsigned>(abi::Can::time_out));
  const auto can = static_cast<abi::Can>(e.move.alternative);
  if (can == abi::Can::proceed) {
    for (std::uint16_t k = 0; k < step.alternatives; ++k) out.choices.push_back({e.move.thread, k});
    if (footprints_.varies(step.footprint) == Varies::choices)
      out.choosers.push_back(e.move.thread);
    return;
  }
  if (can == abi::Can::time_out) out.choices.push_back({e.move.thread, 1});
  out.pending.push_back({e.move.thread, step.footprint,
                         static_cast<std::uint32_t>(out.events.size()), abi::step_name(e)});
}

void Decoder::decode_stretches(std::span<const abi::WireStretch> stretches,
                               std::span<const abi::WireAct> acts, DecodedRun& out) {
  out.told.clear();
  for (const abi::WireStretch& s : stretches)
    out.told.emplace_back(s.at, stretches_.intern(acts.subspan(s.first, s.count)));
}

bool Decoder::is_finding(const RacingPair& race) const {
  const StretchTable::Place &one = stretches_.place_of(race.first),
                            &other = stretches_.place_of(race.second);
  const std::uint64_t stacks = abi::name_of_stacks(one.stack, other.stack);
  const auto pardons = [&](std::uint64_t name) { return knowledge_.pardoned.contains(name); };
  bool pardoned = stacks != 0;
  for_memory(race, [&](std::uint64_t memory) {
    pardoned = pardoned && (pardons(stacks) || pardons(abi::race_with(stacks, memory)));
  });
  return races_ == abi::Races::report && (one.bits | other.bits) == 0 && !pardoned;
}

bool Decoder::counts_as_race(const RacingPair& race) const {
  bool all_visible = true;
  for_memory(race, [&](std::uint64_t memory) {
    all_visible = all_visible && knowledge_.visible.contains(memory);
  });
  return is_finding(race) || !all_visible;
}

void Decoder::make_visible(const RacingPair& race) {
  for_memory(race, [&](std::uint64_t memory) { knowledge_.visible.insert(memory); });
  check_visible();
}

bool Decoder::learn_from_header(const abi::ReplyHeader& reply) {
  bool learned = learn_semaphores(reply);
  if (reply.threads > knowledge_.threads) {
    knowledge_.threads = reply.threads;
    learned = true;
  }
  if ((reply.notes & abi::note_block_choice) != 0 && !knowledge_.block_choices)
    learned = knowledge_.block_choices = true;
  return learned;
}

bool Decoder::learn_semaphores(const abi::ReplyHeader& reply) {
  if ((reply.notes & abi::note_semaphore_value) == 0 || knowledge_.semaphore_values) return false;
  return knowledge_.semaphore_values = true;
}

bool Decoder::learn_races(std::span<const abi::WireRace> races) {
  const std::size_t before = knowledge_.visible.size();
  const bool explores = races_ == abi::Races::explore;
  for (const abi::WireRace& race : races) {
    if (!explores && race.sort == abi::RaceSort::finding) continue;
    knowledge_.visible.insert(race.memory);
    if (!explores && race.sort == abi::RaceSort::benign)
      knowledge_.benign.insert(std::minmax(race.first_site, race.second_site));
  }
  check_visible();
  return knowledge_.visible.size() != before;
}

void Decoder::check_visible() const {
  if (knowledge_.too_much_visible())
    throw Misuse(
        "too much memory has plain accesses that must be explored: it races, or is also "
        "written atomically ('--algorithm optimal' needs only the former)");
}

bool Decoder::is_decoded(std::uint32_t name) const {
  return name < steps_.size() && steps_[name].footprint != not_decoded;
}

const Decoder::Step& Decoder::step_of(std::uint32_t name) {
  if (is_decoded(name)) return steps_[name];
  HEDDLE_CHECK(name == 0 || names_.has_step(name));
  if (name >= steps_.size()) steps_.resize(name + 1, {not_decoded, 0, 1});
  const StepTable::Step step = names_.step(name);
  accesses_.clear();
  for (const abi::WireAccess& a : step.accesses) {
    accesses_.push_back(locations_.access(a));
    if (class_of(accesses_.back().mode) == ObjectClass::mailbox) name_patterns(accesses_.back());
  }
  steps_[name] = {footprints_.intern(accesses_, static_cast<Varies>(step.head.varies)),
                  value_in(step), step.head.alternatives};
  return steps_[name];
}

// A mailbox's `b` names a list of patterns in the dictionary (runtime/abi/messages.h).
bool Decoder::has_patterns_of(std::uint32_t name) {
  std::vector<std::uint32_t> lists;
  for (const abi::WireAccess& a : names_.step(name).accesses)
    if (class_of(static_cast<Mode>(abi::mode_bits(a))) == ObjectClass::mailbox)
      lists.push_back(a.b);
  return std::ranges::all_of(lists, [&](std::uint32_t list) {
    return list != 0 && names_.has_step(list) && !names_.step(list).accesses.empty();
  });
}

// REQUIRES: has_patterns_of the step.
void Decoder::name_patterns(Access& access) {
  std::vector<Pattern> patterns;
  for (const abi::WireAccess& p : names_.step(static_cast<std::uint32_t>(access.b)).accesses)
    patterns.push_back({.kind = p.object & (abi::any_kind_bit - 1),
                        .tag = std::uint64_t{p.b} << 32 | p.a,
                        .any_kind = (p.object & abi::any_kind_bit) != 0,
                        .any_tag = (p.object & abi::any_tag_bit) != 0,
                        .judged = (p.object & abi::judged_bit) != 0});
  access.b = name_of(patterns);
  access.bits[0] = heddle::has_patterns;
}

// Only if it is the value of all the memory that the step uses. (A step that uses more has more
// than one access.)
std::uint16_t Decoder::value_in(const StepTable::Step& step) {
  HEDDLE_CHECK(step.head.valued == 0 || !step.accesses.empty());
  if (step.head.valued == 0 || !locations_.is_whole(step.accesses[0])) return 0;
  for (const Access& a : std::span(accesses_).subspan(1))
    if (!tells_of_thread(a.mode)) return 0;
  const abi::WireAccess& access = step.accesses[0];
  return name_of_value(std::uint64_t{access.b} << 32 | access.a);
}

// Once all names are used up, further values have none (0).
std::uint16_t Decoder::name_of_value(std::uint64_t value) {
  constexpr std::size_t most = 0xffff;
  const auto known = value_names_.find(value);
  if (known != value_names_.end()) return known->second;
  if (value_names_.size() == most) return 0;
  const auto name = static_cast<std::uint16_t>(value_names_.size() + 1);
  value_names_.emplace(value, name);
  return name;
}

// Workers name steps while they run ahead of what has been decoded: which names exist already
// depends on timing, but which of them were decoded does not. So an exploration takes the same
// course each time.
std::optional<Event> Decoder::with_use(const Event& event, const Access& use) {
  const std::uint32_t name = names_.step_with_use(event.step, use);
  if (name == 0 || !is_decoded(name)) return std::nullopt;
  Event out = event;
  out.step = name;
  out.footprint = steps_[name].footprint;
  return out;
}

}  // namespace heddle::native
