// Configurations: an event that can follow a state, with what has to come before it after that
// state. For merging (merging.hpp); lines refer to it.
//
// What becomes of a configuration at an edge hangs on little: its last event, what the others
// access and of which threads they are, its first events, and what the others do to the object that
// the last waits for. So this is all that is kept of one, each different one once, by a number.
// That it suffices is plain to see: `carry` looks at nothing else, and makes nothing else.
//
// Configurations differ from state to state, but what they are made of does not as much: the set of
// what the others access and do, and the set of first events, are kept once, too.
//
// What has to come before the last event, if that can wait: what led its own thread there. That a
// lock was freed does not count, nor that another thread has come before: such a step is in a race
// only with one that took what it waits for, before which it was there to be taken. Two things are
// different, as some of them may be needed and others not: posts of a semaphore (a post is in a
// race with a wait that could do without it, perhaps because of other posts), and readers that
// unlock (a writer is in a race with a reader, if it could have had the lock without this one). Of
// these, a configuration has any number: there is one with and one without each.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/chunked.hpp"
#include "base/index_table.hpp"
#include "core/holders.hpp"
#include "core/reduction/number_sets.hpp"
#include "core/reduction/pair_memo.hpp"
#include "model/cube.hpp"
#include "model/event.hpp"

namespace heddle {

// A step and its configurations, by number. The numbers are those of one Configurations.
using StepNumber = std::uint32_t;
using ConfigurationNumber = std::uint32_t;

// Some threads, a bit for several if there are many.
using ThreadBits = std::uint32_t;
inline ThreadBits thread_bit(std::size_t thread) { return ThreadBits{1} << thread % 32; }

// What becomes of a configuration at an edge.
struct Carried {
  enum class Race : std::uint8_t {
    no,
    yes,
    if_enabled,  // if its last step is enabled before, after the others: see `enabled`
  };
  Race race = Race::no;  // l.7
  std::uint8_t count = 0;
  ConfigurationNumber to[2] = {};  // l.8
};

class Configurations {
 public:
  Configurations(const Footprints& footprints, std::span<const Wait> waits)
      : footprints_(footprints), waits_(waits.begin(), waits.end()) {}

  // What matters of an event here. `index` is its number in its thread; only cubes need it.
  struct Step {
    Move move;
    FootprintId footprint = Footprints::empty;
    std::uint16_t alternatives = 1;
    std::uint32_t index = 0;

    friend bool operator==(const Step&, const Step&) = default;
  };
  StepNumber step(const Step& step);
  const Step& step(StepNumber number) const { return steps_[number]; }
  // How many steps of a thread have numbers that matter: beyond the last that a cube names, all are
  // the same to it.
  std::uint32_t indices_of(ThreadId thread) const {
    std::uint32_t out = 0;
    for (const Wait& w : waits_)
      for (const StepName& step : {w.first, w.second})
        if (step.thread == thread) out = std::max(out, step.index + 1);
    return out;
  }

  // Whether the step can be the second of a race at all: if not, nothing needs to be learned of it.
  bool can_race(StepNumber step) const { return can_race_[step]; }
  // The step alone.
  ConfigurationNumber alone(StepNumber step);

  // The configuration c, from after the event e to before it.
  Carried carry(StepNumber e, ConfigurationNumber c) {
    if ((signatures_[e].first & all_[c].signature) != 0) return carry_over_conflict(e, c);
    return {.count = 1, .to = {c}};
  }

  // The steps that c can begin with. Valid until `keep`.
  std::span<const StepNumber> firsts(ConfigurationNumber c) const {
    return firsts_[all_[c].firsts];
  }
  // Of which it has events.
  ThreadBits threads(ConfigurationNumber c) const {
    return static_cast<ThreadBits>(all_[c].signature);
  }
  // The access for which the last step may wait. REQUIRES: it is one that can.
  const Access& wanted(ConfigurationNumber c) const {
    return *footprints_.blocking(steps_[all_[c].last].footprint);
  }
  // Whether the last step can be taken after the others, if the object is held so before them.
  bool enabled(ConfigurationNumber c, Holders held) const;

  // That all of this takes, in bytes.
  std::size_t memory() const;
  // Forgets all configurations but those that are marked, and gives these new numbers: by their
  // former ones, in place of the marks.
  static constexpr ConfigurationNumber unmarked = 0, marked = 1;
  void keep(std::vector<ConfigurationNumber>& marks);
  std::size_t size() const { return all_.size(); }

 private:
  using Number = NumberSets::Number;

  // A set of threads and objects, a bit for several of each: the lower half is of threads. Steps
  // that have to be kept in order have one in common, in their signatures as first and as second:
  // most do not, and need no further look.
  using Signature = std::uint64_t;
  struct Signatures {
    Signature first = 0, second = 0;
  };

  struct Configuration {
    Signature signature = 0;  // of all its events, as the second
    StepNumber last = 0;
    std::int32_t effect = 0;  // of the others on what the last waits for: readers, or tokens
    Number others = 0;        // in others_: of the events before the last
    Number firsts = 0;        // in firsts_: steps

    friend bool operator==(const Configuration&, const Configuration&) = default;
  };
  // Of the events before the last: what they access, by number; their threads; what they wait for
  // in the cube, by number. One set has all three, in this order.
  enum class Kind : std::uint8_t { access, thread, awaited };
  static constexpr unsigned kind_shift = 30;
  static constexpr Number named(Kind kind, Number n) {
    return static_cast<Number>(kind) << kind_shift | n;
  }
  static constexpr Kind kind_of(Number n) { return static_cast<Kind>(n >> kind_shift); }
  static constexpr Number plain(Number n) { return n & ((Number{1} << kind_shift) - 1); }

  // Most of what is carried, in little memory.
  struct ToOne {
    ConfigurationNumber to = 0;
    Carried::Race race = Carried::Race::no;
    std::uint8_t count = 0;
  };
  // What an event e is to the last of a configuration.
  struct Pair {
    bool timed_out = false;  // e is in no race, and all that follows is after it
    bool own = false;        // e comes before it whatever they access
    bool related = false;    // or because of what they access
    bool hides = false;
    bool waits = false;  // the last is one that can
    bool may_be_needed = false;
    Carried::Race race = Carried::Race::no;
    std::int32_t effect = 0;
  };
  // What it is to the others.
  struct ToOthers {
    bool before = false;  // it comes before one of them
    Number with = 0;      // those and itself; or none
  };

  Signatures signatures_of(const Step& step) const;
  Carried carry_over_conflict(StepNumber e, ConfigurationNumber c) {
    if (const ToOne* known = carried_.find(e, c))
      return {.race = known->race, .count = known->count, .to = {known->to}};
    const Carried found = find_carried(e, c);
    if (found.count < 2) carried_.add(e, c, {found.to[0], found.race, found.count});
    return found;
  }
  Carried find_carried(StepNumber e, ConfigurationNumber c);
  Pair pair(StepNumber e, StepNumber last);
  ToOthers& to_others(StepNumber e, Number others);
  Number with_others(StepNumber e, Number others);
  Number with_firsts(StepNumber e, Number firsts);
  ConfigurationNumber intern(const Configuration& configuration);
  ConfigurationNumber lengthened(StepNumber e, const Configuration& c, std::int32_t effect);
  void make_with(Number value);
  void make_with_access(Number number);
  Number number_of(const Access& access);
  std::int32_t effect(const Step& e, const Step& last) const;

  // l.7, l.8: the later step comes after e whatever they access; because of what they access; one
  // of the events before the last of c does.
  bool leads_to(const Step& e, const Step& later) const;
  bool leads_to_thread(const Step& e, std::size_t thread) const;
  Relation relation(const Step& e, const Step& later) const;
  bool before(const Step& e, const Step& later) const {
    return leads_to(e, later) || relation(e, later) != Relation::none;
  }
  bool before_others(const Step& e, std::span<const Number> others) const;
  bool hides(const Step& e, const Step& last) const;
  Carried::Race race(const Step& e, const Step& last) const;
  bool may_be_needed(const Step& e, const Access& wanted) const;

  const Footprints& footprints_;
  std::vector<Wait> waits_;
  std::vector<Step> steps_;
  std::vector<bool> can_race_;              // by step
  std::vector<Signatures> signatures_;      // by step
  std::vector<ConfigurationNumber> alone_;  // by step, if it was asked for
  std::vector<std::vector<Number>> uses_;   // by step: its accesses
  std::vector<Access> accesses_;            // by number
  Chunked<Configuration> all_;
  NumberSets others_, firsts_;
  std::vector<Number> making_;  // a set
  PairMemo<ToOne> carried_;
  PairMemo<Pair> pairs_;
  PairMemo<ToOthers> to_others_;
  PairMemo<Number> with_firsts_;
  IndexTable step_table_, access_table_, table_;
};

}  // namespace heddle
