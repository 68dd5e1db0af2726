// What the steps of a run do, as rows of its trace, and which threads they depend on.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "findings/trace.hpp"
#include "model/access.hpp"
#include "native/names.hpp"

namespace heddle::native {

// Goes through a run, step by step.
class StepReader {
 public:
  StepReader(const Explanation& run, const Symbols& symbols, Names& names);

  // Fills in what the step does: verb, actions, alternatives.
  void read(const Explanation::Step& step, findings::Row& to) const;
  // The same for a plain access.
  void read(const abi::WireSpot& access, findings::Row& to) const;
  // The same for a step that is blocked at the end, with the threads that hold what it needs.
  void read_waiting(const Explanation::Step& step, findings::Row& to) const;

  // The step whose write it reads, or whose unlock it comes after. `number` is that of this step.
  // REQUIRES: called once for each step, in order.
  findings::Origin origin(const Explanation::Step& step, std::size_t number);

  // The step creates or joins a thread.
  static bool is_routine(const Explanation::Step& step);
  // No other thread uses the objects of the step.
  bool is_own(const Explanation::Step& step) const;
  // A library uses an object of its own, on which no thread is blocked at the end. `stack` is that
  // of the step.
  bool is_librarys(const Explanation::Step& step, const std::vector<Place>& stack) const;

 private:
  // A step of a thread.
  struct Use {
    unsigned thread = 0;
    std::size_t step = 0;
  };
  using Uses = std::map<std::uint64_t, Use>;

  // A message that is sent, in words; and which one a step takes or sends.
  std::string message_text(const Explanation::Step& step) const;
  void add_message(const Explanation::Step& step, findings::Action& to) const;
  findings::Object object(const abi::WireAccess& access) const;
  findings::Action action(const abi::WireAccess& access) const;
  findings::Action memory_action(const Explanation::Step& step) const;
  void add_values(const abi::WireValue& value, bool reads, bool writes, findings::Action& to) const;

  const Symbols& symbols_;
  Names& names_;
  std::map<std::uint64_t, std::uint64_t> users_;  // of objects: a set of threads
  std::set<std::uint64_t> awaited_;               // objects on which threads are blocked at the end
  Uses writer_;                                   // of bytes of memory: the last
  Uses giver_;                                    // of locks and the like: the last
  Uses sender_;                                   // of messages
  std::map<std::uint64_t, std::string> messages_;         // in words
  std::map<std::uint64_t, std::size_t> waiting_;          // by mailbox: how many messages are in it
  std::map<const Explanation::Step*, std::size_t> stay_;  // of receives: how many stay there
  // Locks: which threads hold them, and by which step.
  std::map<std::uint64_t, std::map<unsigned, std::size_t>> held_;
};

}  // namespace heddle::native
