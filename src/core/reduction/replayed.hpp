// Sequences of moves, run from the beginning and remembered: how the published algorithms look at
// states and orders, which they do all the time and at any sequence.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "core/machine.hpp"
#include "core/order.hpp"

namespace heddle {

struct Replayed {
  std::vector<Event> events;
  Order order;
  std::vector<Move> enabled;
  std::vector<std::int64_t> control, memory;
  std::vector<std::uint64_t> observed;  // by thread

  bool same_state(const Replayed& other) const {
    return control == other.control && memory == other.memory;
  }
};

class Replays {
 public:
  Replays(Machine& machine, Observers observers) : machine_(machine), observers_(observers) {}

  // Null if the program cannot make these moves. Valid until the next clear().
  const Replayed* run(const Schedule& moves);

  // Forgets what it remembers, if that is much.
  void clear_if_large() {
    if (known_.size() > 20'000) known_.clear();
  }

  // p can go first after E without changing what w does.
  bool weak_initial(const Schedule& E, Move p, const Schedule& w);
  // p commutes with all of v after E.
  bool independent(const Schedule& E, Move p, const Schedule& v);

 private:
  Machine& machine_;
  Observers observers_;
  std::map<Schedule, std::unique_ptr<Replayed>> known_;
};

inline Schedule operator+(Schedule x, const Schedule& y) {
  x.insert(x.end(), y.begin(), y.end());
  return x;
}
inline Schedule operator+(Schedule x, Move y) {
  x.push_back(y);
  return x;
}
inline Schedule prefix(const Schedule& s, std::size_t n) {
  return {s.begin(), s.begin() + static_cast<std::ptrdiff_t>(n)};
}
inline Schedule suffix(const Schedule& s, std::size_t from) {
  return {s.begin() + static_cast<std::ptrdiff_t>(from), s.end()};
}

}  // namespace heddle
