// Something wrong with a program, and the run that shows it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "findings/trace.hpp"
#include "model/schedule.hpp"
#include "runtime/abi/wire.h"

namespace heddle::findings {

struct Stack {
  enum class Whose : std::uint8_t {
    finding,   // of the finding's thread
    previous,  // of the previous access of a data race
    other,     // of another thread at that time
  };
  Whose whose = Whose::finding;
  unsigned thread = 0;
  std::vector<Place> frames;  // the innermost first
};

// Two accesses that race, in the order of the run.
struct DataRace {
  struct Side {
    unsigned thread = 0;
    Verb verb = Verb::read;  // or write, or free
    bool atomic = false;
    bool ends_thread = false;  // it frees the memory because its thread ends
    std::uint64_t size = 0;    // in bytes; 0: not known
    Place place = {};
  };
  std::string object;  // in words: "'counter'", "block #1 (16 bytes allocated by thread 0)"
  Side previous, access;
};

struct Finding {
  abi::Finding kind = abi::Finding::none;
  std::string message;
  Place place;
  unsigned thread = 0;
  Schedule schedule;
  std::vector<std::uint64_t> visible;  // memory whose accesses are steps of the schedule
  std::vector<Stack> stacks;
  std::optional<DataRace> race;  // of a data race, if the accesses are known
  Trace trace;
  std::uint64_t runs = 0;  // that had it

  const char* kind_name() const { return abi::name_of(kind); }
  // As `replay` takes it: a schedule and, if races are explored, after "| visible" the memory whose
  // accesses are steps of it.
  std::string replay_text() const;
};

inline constexpr std::string_view visible_mark = " | visible ";

}  // namespace heddle::findings
