// The only reader of the wire format: replies of workers become events, outcomes and, for runs that
// recorded details, explanations.
//
// Promises:
// - What a reply means does not depend on the session that it came through: one decoder serves any
//   number of sessions whose workers share names (SharedNames).
// - Everything that arrives goes through `fault_in` (a reply) or `salvage` (what a dead worker had
//   written) before anything of it is used. The functions below that take a reply REQUIRE that.
// - Footprints and locations, once given, stay: FootprintIds and step names compare for equality
//   over the whole life of the decoder.
//
// What a reply teaches about the program goes to Knowledge, and its log says `learned`: events that
// were decoded before no longer mean the same, and this decoder must be discarded.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "model/runner.hpp"
#include "native/explanation.hpp"
#include "native/locations.hpp"
#include "native/shared_names.hpp"
#include "native/stretch_table.hpp"

namespace heddle::native {

// What one reply says. Its buffers are reused for the next.
struct DecodedRun {
  Log log;  // refers to `events`, `pending`, `digests` and `stretches`
  std::vector<Event> events;
  std::vector<Pending> pending;
  std::vector<Digest> digests;  // as many as the reply has; {0, 0}: no state to be compared
  // By how many events there are after them; those that are left out are empty.
  std::vector<std::pair<std::uint32_t, StretchId>> told;
  std::vector<StretchId> stretches;
  std::vector<RacingPair> races;   // that are findings; the log has the first, which is reported
  std::vector<Move> choices;       // of Then::list: the moves with which the run could continue
  std::vector<ThreadId> choosers;  // those of them that may have more alternatives than the first
};

class Decoder {
 public:
  // `races`: what is done about data races, as in the settings of the workers.
  Decoder(SharedNames& names, Knowledge& knowledge, abi::Races races);

  const Footprints& footprints() const { return footprints_; }
  const StretchTable& stretches() const { return stretches_; }
  std::size_t thread_count() const { return knowledge_.threads; }

  // Whether a data race that stretches have is one to be reported, as workers judge it (sort_of in
  // shadow.cpp); and whether it says something new: it is, or teaches that memory has to become
  // visible.
  bool is_finding(const RacingPair& race) const;
  bool counts_as_race(const RacingPair& race) const;
  // All memory that it is about.
  void make_visible(const RacingPair& race);

  // The part of a reply to this request that no worker can have written; null if there is none.
  // REQUIRES: `bytes` of the reply is the size of the memory that it is in.
  const char* fault_in(const abi::ReplyHeader& reply, const abi::RequestHeader& request);

  // The valid part of a reply that a worker did not finish, as if the run had ended there: its
  // events up to the first that no worker can have written. REQUIRES: as above.
  std::vector<std::uint64_t> salvage(const abi::ReplyHeader& unfinished,
                                     const abi::RequestHeader& request);

  // `known` are the first events of the run, which the reply lacks.
  void decode(const abi::ReplyHeader& reply, std::span<const Event> known, DecodedRun& out);

  // All that a reply says about a run that was requested with nothing known. The order in which
  // threads were created (`come`) is not part of a reply: the caller adds it.
  Explanation details(const abi::ReplyHeader& reply);
  // The same for a reply that was salvaged: it has nothing but its steps.
  Explanation unfinished_details(const abi::ReplyHeader& reply);
  // Whether the reply teaches that semaphores have values that count.
  bool learn_semaphores(const abi::ReplyHeader& reply);

  // The place of the step with this name: the address of an abi::Site, or 0.
  std::uint64_t site_of(std::uint32_t step) const { return names_.step(step).head.site; }

  // See Runner::with_use. Only steps that were decoded before are known, so that the answer depends
  // on nothing but the logs so far.
  std::optional<Event> with_use(const Event& event, const Access& use);

 private:
  struct Step {  // a step, decoded
    FootprintId footprint;
    std::uint16_t value;  // of events
    std::uint16_t alternatives;
  };

  const char* fault_in_header(const abi::ReplyHeader& reply, const abi::RequestHeader& request);
  const char* fault_in_event(const abi::WireEvent& event, std::size_t threads);
  const Step& step_of(std::uint32_t name);
  bool is_decoded(std::uint32_t name) const;
  bool has_patterns_of(std::uint32_t name);
  void name_patterns(Access& access);
  void decode_pending(const abi::WireEvent& event, const Step& step, DecodedRun& out);
  std::uint16_t value_in(const StepTable::Step& step);
  std::uint16_t name_of_value(std::uint64_t value);
  void decode_events(std::span<const abi::WireEvent> events, DecodedRun& out);
  // Return whether something was learned.
  bool learn_from_header(const abi::ReplyHeader& reply);
  void decode_stretches(std::span<const abi::WireStretch> stretches,
                        std::span<const abi::WireAct> acts, DecodedRun& out);
  void check_visible() const;
  bool learn_races(std::span<const abi::WireRace> races);

  SharedNames& names_;
  Knowledge& knowledge_;
  const abi::Races races_;
  Footprints footprints_;
  Locations locations_;
  StretchTable stretches_;
  std::vector<Step> steps_;  // by name
  std::unordered_map<std::uint64_t, std::uint16_t> value_names_;
  std::vector<Access> accesses_;
};

}  // namespace heddle::native
