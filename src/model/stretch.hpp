// What decides on data races, between two scheduling decisions: who learns of whose accesses, and
// which plain accesses there are.
//
// The *stretch* of an event are the acts from its step on up to the next decision, in their order.
// They may be of several threads: of the one that took the step, of one that it created, of one
// that was waiting to join it. Of accesses that are the same, with no other act between them but
// accesses, one is enough.
//
// Acts are about *names*. A name has knowledge: a set of accesses, of which it knows that they have
// happened. A thread is a name, and knows its own accesses; so is whatever hands on knowledge:
// locks, atomic locations, and, for fences, what a thread has released last and what it would
// acquire. An access races with an earlier one of another thread that it conflicts with, if its
// thread does not know of it.
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/index_table.hpp"

namespace heddle {

// A small number, which is the Runner's: the same from run to run. Threads that are in one run have
// different names.
using Name = std::uint32_t;

// An access to memory that is not ordered by itself; or one that is, to memory that is also
// accessed in other ways.
struct PlainAccess {
  std::uint64_t granule = 0;  // which memory; accesses to different granules never conflict
  std::uint64_t place = 0;    // where in the program: its meaning is the Runner's
  Name thread = 0;
  std::uint32_t granules = 1;  // how many it uses, one after the other
  std::uint8_t bytes = 0xff;   // a bit for each byte that it uses of each of them
  bool writes = false;
  bool atomic = false;
  bool ends = false;  // the memory, or that it is written: nothing that comes later races with it

  friend auto operator<=>(const PlainAccess&, const PlainAccess&) = default;

  std::uint64_t end() const { return granule + granules; }
  bool overlaps(const PlainAccess& other) const {
    return granule < other.end() && other.granule < end();
  }
  bool conflicts_with(const PlainAccess& other) const {
    return overlaps(other) && (bytes & other.bytes) != 0 && (writes || other.writes) &&
           !(atomic && other.atomic) && thread != other.thread;
  }
  // With one that comes later, if its thread does not know of this one.
  bool races_with_later(const PlainAccess& later) const { return !ends && conflicts_with(later); }
};

struct Act {
  enum class Kind : std::uint8_t {
    add,      // `to` now also knows what `from` knows
    replace,  // `to` now knows what `from` knows, and nothing else
    forget,   // `to` now knows nothing
    access,   // a thread makes an access, and knows it
  };

  Kind kind = Kind::add;
  Name to = 0, from = 0;
  PlainAccess what = {};  // of an access

  friend auto operator<=>(const Act&, const Act&) = default;

  // A thread locks, reads, joins; unlocks, or updates what continues a release sequence; stores, or
  // creates a thread of that name.
  static Act acquire(Name thread, Name object) { return {Kind::add, thread, object}; }
  static Act release(Name thread, Name object) { return {Kind::add, object, thread}; }
  static Act begin(Name thread, Name object) { return {Kind::replace, object, thread}; }
  static Act forget(Name object) { return {Kind::forget, object, 0}; }
  static Act access(const PlainAccess& what) { return {Kind::access, 0, 0, what}; }
};

using StretchId = std::uint32_t;

// The stretches of a program, each different one once, by a number.
class Stretches {
 public:
  static constexpr StretchId empty = 0;

  StretchId intern(std::span<const Act> acts);
  // Valid until the next is interned.
  std::span<const Act> acts(StretchId id) const {
    return std::span(acts_).subspan(ends_[id], ends_[id + 1] - ends_[id]);
  }
  std::size_t size() const { return ends_.size() - 1; }

 private:
  std::vector<Act> acts_;                     // of all of them
  std::vector<std::uint32_t> ends_ = {0, 0};  // where each begins; and where the last ends
  IndexTable table_;
};

// Two accesses that race: which they are, but not of which threads.
struct RacingPair {
  PlainAccess first, second;

  RacingPair(PlainAccess one, PlainAccess other) : first(one), second(other) {
    first.thread = second.thread = 0;
    if (second < first) std::swap(first, second);
  }
  friend auto operator<=>(const RacingPair&, const RacingPair&) = default;
};

}  // namespace heddle
