// Configurations: an event that can follow a state, with what has to come before it after that
// state. For merging (merging.hpp); lines refer to it.
//
// What becomes of a configuration at an edge hangs on little: its last event, what the others
// access and of which threads they are, its first events, and what the others do to the object that
// the last waits for. So this is all that is kept of one, each different one once, by a number.
// That it suffices is plain to see: `carry` looks at nothing else, and makes nothing else.
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
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/index_table.hpp"
#include "core/holders.hpp"
#include "model/cube.hpp"
#include "model/event.hpp"

namespace heddle {

// A step and its configurations, by number. The numbers are those of one Configurations.
using StepNumber = std::uint32_t;
using ConfigurationNumber = std::uint32_t;

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

// What was found out last of steps and configurations. There can be more pairs of them than states:
// so one may take the place of another, which is then found out again.
class CarryTable {
 public:
  // Null if it is not known. Valid until something is added.
  const Carried* find(StepNumber e, ConfigurationNumber c) const {
    const Entry& entry = entries_[place(e, c)];
    return entry.e == e && entry.c == c ? &entry.carried : nullptr;
  }
  void add(StepNumber e, ConfigurationNumber c, const Carried& carried) {
    if (++added_ > entries_.size() && entries_.size() < most) grow();
    entries_[place(e, c)] = {e, c, carried};
  }
  std::size_t memory() const { return entries_.size() * sizeof(Entry); }  // in bytes

 private:
  static constexpr std::size_t most = std::size_t{1} << 18;  // 5 MB
  struct Entry {
    StepNumber e = 0;
    ConfigurationNumber c = ~ConfigurationNumber{0};  // none
    Carried carried = {};
  };
  std::size_t place(StepNumber e, ConfigurationNumber c) const {
    const std::uint64_t h = (std::uint64_t{e} << 32 | c) * 0x9e3779b97f4a7c15ULL;
    return (h ^ h >> 32) & (entries_.size() - 1);
  }
  void grow() {
    std::vector<Entry> old(2 * entries_.size());
    old.swap(entries_);
    for (const Entry& entry : old) entries_[place(entry.e, entry.c)] = entry;
  }

  std::vector<Entry> entries_ = std::vector<Entry>(64);  // a power of two of them
  std::size_t added_ = 0;
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

  // The steps that c can begin with. Valid until the next call of `alone` or `carry`.
  std::span<const StepNumber> firsts(ConfigurationNumber c) const {
    return part(all_[c], Part::firsts);
  }
  // The access for which the last step may wait. REQUIRES: it is one that can.
  const Access& wanted(ConfigurationNumber c) const {
    return *footprints_.blocking(steps_[all_[c].last].footprint);
  }
  // That all of this takes, in bytes.
  std::size_t memory() const;
  // Whether the last step can be taken after the others, if the object is held so before them.
  bool enabled(ConfigurationNumber c, Holders held) const;

 private:
  // Of the events before the last: what they access, by number; their threads; what they wait for
  // in the cube, by number. And the first events. Each is sorted.
  enum class Part : std::uint8_t { accesses, threads, awaited, firsts };
  static constexpr std::size_t part_count = 4;
  using Number = std::uint32_t;

  // A set of threads and objects, a bit for several of each. Steps that have to be kept in order
  // have one in common, in their signatures as first and as second: most do not, and need no
  // further look.
  using Signature = std::uint64_t;
  struct Signatures {
    Signature first = 0, second = 0;
  };

  struct Configuration {
    Signature signature = 0;  // of all its events, as the second
    StepNumber last = 0;
    std::int32_t effect = 0;  // of the others on what the last waits for: readers, or tokens
    std::uint32_t begin = 0;  // in numbers_: one part after the other
    std::array<std::uint16_t, part_count> ends = {};
  };
  std::span<const Number> part(const Configuration& c, Part part) const {
    const auto n = static_cast<std::size_t>(part);
    const std::uint32_t from = n == 0 ? 0 : c.ends[n - 1];
    return std::span(numbers_).subspan(c.begin + from, c.ends[n] - from);
  }
  // One that is being made, part by part.
  struct Draft {
    Signature signature = 0;
    StepNumber last = 0;
    std::int32_t effect = 0;
    std::vector<Number> numbers;
    std::array<std::uint16_t, part_count> ends = {};
    std::size_t part_begin = 0;

    void begin(std::span<const Number> with) {
      part_begin = numbers.size();
      numbers.insert(numbers.end(), with.begin(), with.end());
    }
    void insert(Number value);
    void end(Part part) {
      ends[static_cast<std::size_t>(part)] = static_cast<std::uint16_t>(numbers.size());
    }
  };

  Signatures signatures_of(const Step& step) const;
  Carried carry_over_conflict(StepNumber e, ConfigurationNumber c);
  Carried find_carried(StepNumber e, ConfigurationNumber c);
  ConfigurationNumber intern_draft();
  bool is_draft(const Configuration& c) const;
  ConfigurationNumber lengthened(StepNumber e, ConfigurationNumber c);
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
  bool before_others(const Step& e, const Configuration& c) const;
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
  std::vector<Configuration> all_;
  std::vector<Number> numbers_;  // of all of them
  Draft draft_;
  CarryTable carried_;
  IndexTable step_table_, access_table_, table_;
};

}  // namespace heddle
