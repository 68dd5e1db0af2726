// Which of two algorithms to explore with, if it is not known which of them is faster: one that has
// an outlook and can be stopped and continued, and one that compares states, which has neither.
//
// They take turns, each time for twice as long, so that what is spent on the one that is slower is
// a few times what the other takes at most. The second is left out as long as little seems to be
// left for the first to do, and once it turns out that hardly a run ends in a state that is known:
// then it has as many runs, and each takes longer.
#pragma once

#include "core/result.hpp"

namespace heddle::parallel {

class Alternation {
 public:
  // Most explorations are done by then.
  static constexpr double first_turn = 2;  // seconds

  double turn() const { return turn_; }
  // After a turn of the first: whether it is the other's. `rest` are the seconds that it seems to
  // need for what is left. (What a tree tells is rarely too much.)
  bool is_others_turn(double rest) const { return !hopeless_ && rest > turn_; }
  // During a turn of the second: whether to end it now, and for good.
  bool is_hopeless(const Counts& so_far) {
    constexpr std::uint64_t enough = 1000, few = 10;  // runs, and one of how many
    hopeless_ = so_far.runs() >= enough && so_far.merged * few < so_far.runs();
    return hopeless_;
  }
  // Both had their turns.
  void next() { turn_ *= 2; }

 private:
  double turn_ = first_turn;
  bool hopeless_ = false;
};

}  // namespace heddle::parallel
