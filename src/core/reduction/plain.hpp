// Data races on a graph of states, exactly. For merging (merging.hpp).
//
// A state has, for each plain access b that can follow it, the names whose knowledge *at this
// state* b's thread will have when it makes b: the smallest sets of names only. They flow backwards
// over edges, as summaries do. Over the acts of a stretch, from the last to the first, the names K
// of b:
//   to learns what from knows    if K has `to`, it now has `from`, too
//   to knows what from knows     if K has `to`, it now has `from` instead
//   to knows nothing             K has `to` no more
//   an access a of thread t      a and b race, if they conflict and K does not have t;
//                                and a can follow, too, by the knowledge of t
// Nothing of the past is needed, so states need no clocks; and a race between what led to a state
// and what follows it is found at the edge of its first access, on whatever way the state is
// reached.
//
// All values are numbered, each different one once: what can follow a state is one number, and most
// edges take one look-up.
//
// Most accesses are to memory that no other thread uses, or that is not written. So an access
// *matters*, and follows a state, only once one has been seen that it conflicts with. Then what can
// follow the stretches that have it has grown, and the caller carries it over their edges again.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "base/index_table.hpp"
#include "model/stretch.hpp"

namespace heddle {

class Plain {
 public:
  explicit Plain(const Stretches& stretches) : stretches_(stretches) {}

  // An access and the names whose knowledge it will have, by number.
  using Entry = std::uint32_t;
  // The entries of a state, by number.
  using Set = std::uint32_t;
  static constexpr Set none = 0;

  // What can follow before the stretch, if this can after it.
  Set before(StretchId stretch, Set after);
  // Whether there are stretches of which `before` has more now than when it was asked last, as more
  // accesses matter: then `grew` says which, until the next call.
  bool take_growth();
  bool grew(StretchId stretch) const {
    return stretch < prepared_.size() && prepared_[stretch] && prepared_[stretch]->grew;
  }
  // From now on, all accesses matter.
  void let_all_matter();
  // The smallest of both.
  Set joined(Set one, Set other);

  // A race of an access of a stretch with one that can follow it.
  struct Race {
    RacingPair pair;
    // The second access and what is known to it after the stretch; none if it is in the same.
    std::optional<Entry> second;
  };
  // Those that `before` has found since the last call, each once.
  std::vector<Race> take_races() { return std::exchange(races_, {}); }

  // Whether the access of an entry can follow in this way: it is in the stretch, or can follow
  // after it, as an entry of `after`, with no more than the knowledge of the entry.
  struct Way {
    bool in_stretch = false;
    std::optional<Entry> after;
  };
  Way way(StretchId stretch, Set after, Entry entry);

 private:
  using Number = std::uint32_t;
  using Word = std::uint64_t;  // 64 names
  using Names = std::vector<Word>;

  struct Range {
    std::uint32_t begin, end;
  };
  struct Followed {
    Number access, names;
    friend bool operator==(const Followed&, const Followed&) = default;
  };
  struct Memory {  // granules
    std::uint64_t begin, end;
  };
  struct Prepared {
    std::vector<Act> others;     // all but accesses
    std::vector<Memory> memory;  // of its accesses; sorted, and apart
    std::vector<Entry> all;      // its accesses, before it
    std::vector<Entry> own;      // those that matter
    Number form = 0;             // with these; unique among all stretches
    bool grew = false;

    bool uses(const PlainAccess& access) const;
  };
  struct Known {
    Number one, other, result;
  };
  // What has been computed of two numbers.
  class Results {
   public:
    const Number* find(Number one, Number other) const;
    Number add(Number one, Number other, Number result);

   private:
    std::vector<Known> all_;
    IndexTable table_;
  };

  const Prepared& prepared(StretchId stretch);
  Prepared prepare(StretchId stretch);
  void choose_own(Prepared& of);
  void look_for_conflicts(Number access);
  void compare(Number one, Number other);
  Entry carried(StretchId stretch, Entry entry);
  void take_back(std::span<const Act> acts, const PlainAccess& access, std::optional<Entry> second);
  void take_back(const Act& act);

  Number number_of(const PlainAccess& access);
  Number intern_names();
  Entry intern(Followed entry);
  void keep_smallest();
  Set intern_set();
  bool is_within(Number names, Number others) const;
  bool has(Name name) const {
    return name / 64 < names_.size() && (names_[name / 64] >> name % 64 & 1) != 0;
  }
  void insert(Name name);
  void remove(Name name) {
    if (name / 64 < names_.size()) names_[name / 64] &= ~(Word{1} << name % 64);
  }
  std::span<const Word> names(Number n) const {
    return std::span(words_).subspan(name_sets_[n].begin, name_sets_[n].end - name_sets_[n].begin);
  }
  std::span<const Entry> entries(Set set) const {
    return std::span(members_).subspan(sets_[set].begin, sets_[set].end - sets_[set].begin);
  }

  const Stretches& stretches_;
  std::vector<PlainAccess> accesses_;
  std::vector<Word> words_;
  std::vector<Range> name_sets_;
  std::vector<Followed> entries_;
  std::vector<Entry> members_;  // of all sets, by access
  std::vector<Range> sets_ = {{0, 0}};
  IndexTable access_table_, name_table_, entry_table_, set_table_;
  std::vector<std::optional<Prepared>> prepared_;  // by stretch
  // Those that were compared with each other, by their first granule; but ranges of many.
  std::multimap<std::uint64_t, Number> by_granule_;
  std::vector<Number> wide_;
  std::vector<bool> matters_;  // by access
  bool all_matter_ = false, more_matter_ = false;
  Number forms_ = 0;
  Results carried_, before_, joined_;
  Names names_;                // that are being made
  std::vector<Entry> making_;  // a set
  std::vector<Race> races_;
};

}  // namespace heddle
