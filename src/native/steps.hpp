// What steps do, for people, and who they have it from.
#pragma once

#include <map>
#include <set>
#include <string>

#include "model/access.hpp"
#include "native/names.hpp"

namespace heddle::native {

// Goes through a run, step by step.
class StepReader {
 public:
  StepReader(const Explanation& run, const Symbols& symbols, Names& names);

  // "lock m", "read x → 2", "compare-exchange top: null → block #1 fails".
  std::string what(const Explanation::Step& step) const;
  // "from thread 2": whose write it reads, whose unlock it comes after. To be asked for each step
  // in its turn.
  std::string with(const Explanation::Step& step);
  // Threads come and go.
  static bool is_routine(const Explanation::Step& step);
  // No other thread uses the objects of the step.
  bool is_own(const Explanation::Step& step) const;
  // A library is at work on something of its own, which nobody waits for at the end. `stack` is
  // that of the step.
  bool is_librarys(const Explanation::Step& step, const std::vector<Place>& stack) const;
  // "waits to lock b, held by thread 2": at the end.
  std::string waits_for(const Explanation::Step& step) const;

  // The same as `what`, of a plain access.
  std::string what(const abi::WireSpot& access) const;

 private:
  std::string holders(std::uint64_t lock) const;
  std::string value_text(const abi::WireValue& value, bool reads, bool writes) const;
  std::string memory_text(const Explanation::Step& step, Mode mode) const;
  void add_block(const Explanation::Step& step, std::string& out) const;

  const Symbols& symbols_;
  Names& names_;
  std::map<std::uint64_t, std::uint64_t> users_;      // of objects: a set of threads
  std::set<std::uint64_t> awaited_;                   // objects that threads wait for at the end
  std::map<std::uint64_t, unsigned> writer_;          // of bytes of memory: the last
  std::map<std::uint64_t, unsigned> giver_;           // of locks and the like: the last
  std::map<std::uint64_t, std::set<unsigned>> held_;  // locks, by which threads
};

}  // namespace heddle::native
