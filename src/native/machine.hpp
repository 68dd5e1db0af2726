// A compiled program, step by step: for the algorithms that decide at every step. Each step is a
// run of its own, from the beginning or from a savepoint: slow, but exact.
//
// States cannot be compared here: functions about states must not be called.
#pragma once

#include <map>

#include "base/check.hpp"
#include "core/machine.hpp"
#include "native/runner.hpp"

namespace heddle::native {

class NativeMachine final : public Machine {
 public:
  explicit NativeMachine(NativeRunner& runner) : runner_(runner) {}

  std::size_t thread_count() const override { return runner_.thread_count(); }
  const Footprints& footprints() const override { return runner_.footprints(); }
  const Cube& cube() const override { return runner_.cube(); }

  // These throw what the runner throws, and Learned.
  void reset() override;
  Event step(Move move) override;

  bool has_time_outs() const override { return true; }
  bool stuck() const override;
  void enabled(std::vector<Move>& out) const override { out = now_.choices; }
  std::string why_not(Move move) const override;

  void save() override { saved_.push_back(now_); }
  void restore() override {
    HEDDLE_CHECK(!saved_.empty());
    now_ = saved_.back();
  }
  void drop() override {
    HEDDLE_CHECK(!saved_.empty());
    saved_.pop_back();
  }

  std::span<const Pending> pending() const override { return now_.pending; }
  Ending ending() const override { return now_.ending; }
  Outcome outcome() const override { return now_.outcome; }

  void describe(std::vector<std::int64_t>& control,
                std::vector<std::int64_t>& memory) const override;
  std::uint64_t final_state() const override { return 0; }
  std::uint64_t observed() const override { return 0; }
  std::uint64_t observed(ThreadId) const override { return 0; }

 private:
  struct State {
    std::vector<Event> events;  // with sites as the runner names them
    std::vector<Move> choices;
    std::vector<Pending> pending;
    Ending ending = Ending::stopped;
    Outcome outcome;
  };

  void list_moves();
  void find_alternatives();
  StepId place_of(const Event& event);

  NativeRunner& runner_;
  State now_;
  std::vector<State> saved_;
  Schedule schedule_;
  // The runner names steps by all that they do; here, a site is a place in the program, whatever is
  // done there.
  std::map<std::pair<ThreadId, std::uint64_t>, StepId> places_;
};

}  // namespace heddle::native
