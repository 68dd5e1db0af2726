// Which threads are enabled, what the blocked ones wait for, and which times out if none is
// enabled.
#include <algorithm>

#include "base/check.hpp"
#include "interp/machine.hpp"

namespace heddle::interp {

bool ModelMachine::instruction_enabled(const ThreadState& t) const {
  const Instruction& i = at(t);
  const Location o = object(t, i);
  if (!in_range(i, o)) return true;  // its step is the crash
  switch (i.op) {
    case Op::lock:
      return state_.words[o].holder == 0;
    case Op::read_lock:
      return state_.words[o].holder == 0;
    case Op::write_lock:
      return state_.words[o].holder == 0 && state_.words[o].aux == 0;
    case Op::wait:
      return t.phase == 0 ||
             (t.phase == 1 ? condition(o).can_wake(t.id) : state_.words[i.second].holder == 0);
    case Op::sem_wait:
      return state_.words[o].value > 0;
    case Op::barrier:
      return t.phase == 0 || state_.words[o].aux > t.ticket;
    case Op::join:  // otherwise it would have continued
      return false;
    case Op::receive: {
      const auto accepted = static_cast<std::uint64_t>(value(t, i.value));
      return std::ranges::any_of(state_.boxes[t.id],
                                 [&](auto& m) { return (accepted >> m.tag & 1) != 0; });
    }
    default:
      return true;
  }
}

bool ModelMachine::is_enabled(const ThreadState& t) const { return could_step(t) && !is_held(t); }

bool ModelMachine::is_held_by_cube(const ThreadState& t) const {
  return std::ranges::any_of(waits_[t.id], [&](const Wait& w) {
    return w.second.index == t.taken && state_.threads[w.first.thread].taken <= w.first.index;
  });
}

void ModelMachine::restrict_to(Cube cube) {
  for (const Wait& w : cube.waits)
    HEDDLE_CHECK(std::max(w.first.thread, w.second.thread) < thread_count());
  cube_ = std::move(cube);
  waits_.assign(thread_count(), {});
  for (const Wait& w : cube_.waits) waits_[w.second.thread].push_back(w);
}

bool ModelMachine::any_held() const {
  if (cube_.empty()) return false;
  bool any_could = false;
  for (const ThreadState& t : state_.threads) {
    if (could_step(t) && is_held(t)) return true;
    any_could = any_could || could_step(t);
  }
  if (any_could) return false;
  // Nothing happens because a step is held back: no other thread times out in its place.
  const auto first =
      std::ranges::find_if(state_.threads, [&](const ThreadState& t) { return in_timed_wait(t); });
  return first != state_.threads.end() && is_held(*first);
}

bool ModelMachine::is_enabled(ThreadId thread) const { return is_enabled(state_.threads[thread]); }

ThreadId ModelMachine::first_enabled() const {
  ThreadId t = 0;
  while (t < state_.threads.size() && !is_enabled(state_.threads[t])) ++t;
  return t;
}

void ModelMachine::enabled(std::vector<Move>& out) const {
  out.clear();
  for (const ThreadState& t : state_.threads) {
    if (!is_enabled(t)) continue;
    if (at(t).op < Op::lock) {  // an access of memory, as most steps are
      out.push_back({t.id, 0});
      continue;
    }
    const std::uint16_t n = alternatives(t.id);
    for (std::uint16_t k = 0; k < n; ++k) out.push_back({t.id, k});
  }
  if (!out.empty() || !has_time_outs_) return;
  if (const ThreadId t = next_time_out(); t < thread_count()) out.push_back({t, timing_out});
}

bool ModelMachine::in_timed_wait(const ThreadState& t) const {
  return t.status == Status::running && at(t).timed && (at(t).op != Op::wait || t.phase == 1) &&
         !instruction_enabled(t);
}

ThreadId ModelMachine::next_time_out() const {
  if (any_held()) return static_cast<ThreadId>(thread_count());
  ThreadId t = 0;
  while (t < state_.threads.size() && !in_timed_wait(state_.threads[t])) ++t;
  return t;
}

std::string ModelMachine::why_not(Move move) const {
  if (move.thread >= state_.threads.size())
    return "there is no thread " + std::to_string(move.thread);
  const ThreadState& t = state_.threads[move.thread];
  const std::string who = "thread " + program_.threads[move.thread].name;
  switch (t.status) {
    case Status::absent:
      return who + " has not been created";
    case Status::done:
      return who + " has ended";
    case Status::stopped:
      return who + " stopped at an assumption that does not hold";
    case Status::crashed:
      return who + " has failed";
    default:
      break;
  }
  if (times_out(move) || (is_enabled(t) && move.alternative < alternatives(move.thread))) return "";
  if (move.alternative == timing_out && in_timed_wait(t))
    return who + " times out only when no thread can continue, and after the threads before it";
  if (could_step(t) && is_held(t)) return who + " is held back by the cube";
  if (!is_enabled(t)) return who + " is blocked: " + std::string(name_of(pending_access(t).mode));
  return who + " has " + std::to_string(alternatives(move.thread)) + " alternative(s) here";
}

Access ModelMachine::pending_access(const ThreadState& t) const {
  const Instruction& i = at(t);
  const Location o = object(t, i);
  switch (i.op) {
    case Op::lock:
      return {o, Mode::lock};
    case Op::read_lock:
      return {o, Mode::read_lock};
    case Op::write_lock:
      return {o, Mode::write_lock};
    case Op::wait:
      return t.phase == 1 ? condition(o).wake(o, t.id) : Access{i.second, Mode::lock};
    case Op::sem_wait:
      return {o, Mode::sem_wait, {}, static_cast<std::uint64_t>(program_.objects[o].initial)};
    case Op::barrier:
      return {o, Mode::leave, {}, static_cast<std::uint64_t>(t.ticket)};
    case Op::join:
      return {o, Mode::join};
    default:
      return {
          o, Mode::receive, {}, ~std::uint64_t{0}, static_cast<std::uint64_t>(value(t, i.value))};
  }
}

FootprintId ModelMachine::pending_footprint(const ThreadState& t) const {
  std::vector<Access> accesses = {pending_access(t)};
  const Mode mode = accesses.front().mode;
  add_joined(t, accesses);
  const bool varies = mode == Mode::wake || mode == Mode::receive;
  return footprints_.intern(accesses, varies ? Varies::mode : Varies::no);
}

std::span<const Pending> ModelMachine::pending() const {
  pending_.clear();
  for (const ThreadState& t : state_.threads)
    if (t.status == Status::running && !instruction_enabled(t) && !is_held(t))
      pending_.push_back({t.id, pending_footprint(t), state_.steps});
  return pending_;
}

}  // namespace heddle::interp
