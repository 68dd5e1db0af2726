#include "model/dependence.hpp"

#include <span>

#include "base/check.hpp"
#include "model/messages.hpp"

namespace heddle {
namespace {

using enum Mode;

struct Rule {
  Mode first, second;
  Relation forward;   // first, then second
  Relation backward;  // second, then first
};

constexpr Relation none = Relation::none, race = Relation::race, observed = Relation::observed,
                   enables = Relation::enables, frees = Relation::frees,
                   excludes = Relation::excludes;

// Every pair of modes of one class, once. A missing or a doubled pair does not compile.
constexpr Rule rules[] = {
    // Memory. An allocation makes accesses legal, a free ends that; both conflict with all
    // accesses.
    {read, read, none, none},
    {read, write, race, race},
    {read, update, race, race},
    {read, add, race, race},
    {read, alloc, race, race},
    {read, free, race, race},
    {write, write, observed, observed},
    {read, write_in_block, race, race},
    {write, write_in_block, race, race},
    {write_in_block, write_in_block, race, race},
    {write_in_block, update, race, race},
    {write_in_block, add, race, race},
    {write_in_block, alloc, race, race},
    {write_in_block, free, race, race},
    {write, update, race, race},
    {write, add, race, race},
    {write, alloc, race, race},
    {write, free, race, race},
    {update, update, race, race},
    {update, add, race, race},
    {update, alloc, race, race},
    {update, free, race, race},
    {add, add, none, none},
    {add, alloc, race, race},
    {add, free, race, race},
    {alloc, alloc, none, none},
    {alloc, free, race, race},
    {free, free, race, race},
    // Mutex.
    {lock, lock, excludes, excludes},
    {lock, try_lock, race, excludes},
    {lock, try_lock_fail, race, enables},
    {lock, unlock, enables, enables},
    {try_lock, try_lock, race, race},
    {try_lock, try_lock_fail, race, race},
    {try_lock, unlock, race, race},
    {try_lock_fail, try_lock_fail, none, none},
    {try_lock_fail, unlock, race, race},
    {unlock, unlock, none, none},
    // Readers-writer lock: readers commute with readers. A failed try for reading saw a writer, a
    // failed try for writing saw any of them.
    {read_lock, read_lock, none, none},
    {read_lock, try_read_lock, none, none},
    {read_lock, try_read_lock_fail, none, none},
    {read_lock, read_unlock, none, none},
    {read_lock, write_lock, excludes, excludes},
    {read_lock, try_write_lock, race, excludes},
    {read_lock, try_write_lock_fail, race, frees},
    {read_lock, write_unlock, enables, enables},
    {try_read_lock, try_read_lock, none, none},
    {try_read_lock, try_read_lock_fail, none, none},
    {try_read_lock, read_unlock, none, none},
    {try_read_lock, write_lock, excludes, race},
    {try_read_lock, try_write_lock, race, race},
    {try_read_lock, try_write_lock_fail, race, race},
    {try_read_lock, write_unlock, race, race},
    {try_read_lock_fail, try_read_lock_fail, none, none},
    {try_read_lock_fail, read_unlock, none, none},
    {try_read_lock_fail, write_lock, enables, race},
    {try_read_lock_fail, try_write_lock, race, race},
    {try_read_lock_fail, try_write_lock_fail, none, none},
    {try_read_lock_fail, write_unlock, race, race},
    {read_unlock, read_unlock, none, none},
    {read_unlock, write_lock, enables, enables},
    {read_unlock, try_write_lock, race, race},
    {read_unlock, try_write_lock_fail, race, race},
    {read_unlock, write_unlock, none, none},
    {write_lock, write_lock, excludes, excludes},
    {write_lock, try_write_lock, race, excludes},
    {write_lock, try_write_lock_fail, race, enables},
    {write_lock, write_unlock, enables, enables},
    {try_write_lock, try_write_lock, race, race},
    {try_write_lock, try_write_lock_fail, race, race},
    {try_write_lock, write_unlock, race, race},
    {try_write_lock_fail, try_write_lock_fail, none, none},
    {try_write_lock_fail, write_unlock, race, race},
    {write_unlock, write_unlock, none, none},
    // Condition variable. A signal leaves a token for those that wait at that moment, unless there
    // is one for each of them; a broadcast leaves what is missing. Which thread takes a token is a
    // matter of schedule. What leaves tokens is ordered; a wake comes only after what left its
    // token, and after a wake that took one it could have taken (see refine).
    {wait, wait, none, none},
    {wait, signal, race, race},
    {wait, broadcast, race, race},
    {wait, wake, none, none},
    {wait, wake_all, none, none},
    {signal, signal, race, race},
    {signal, broadcast, race, race},
    {signal, wake, enables, none},
    {signal, wake_all, enables, none},
    {broadcast, broadcast, race, race},
    {broadcast, wake, none, none},
    {broadcast, wake_all, enables, none},
    {wake, wake, excludes, excludes},
    {wake, wake_all, excludes, none},
    {wake_all, wake_all, none, none},
    // Semaphore.
    {sem_wait, sem_wait, excludes, excludes},
    {sem_wait, sem_try_wait, race, excludes},
    {sem_wait, sem_try_wait_fail, race, enables},
    {sem_wait, sem_post, race, frees},
    {sem_try_wait, sem_try_wait, race, race},
    {sem_try_wait, sem_try_wait_fail, race, race},
    {sem_try_wait, sem_post, race, race},
    {sem_try_wait_fail, sem_try_wait_fail, none, none},
    {sem_try_wait_fail, sem_post, race, race},
    {sem_post, sem_post, none, none},
    // Barrier: arrivals of one generation commute, those of two do not (see refine).
    {arrive, arrive, race, race},
    {arrive, leave, enables, none},
    {leave, leave, none, none},
    // Thread: what comes before a thread, and after it, needs no table.
    {create, create, none, none},
    {create, join, none, none},
    {create, joined, none, none},
    {join, join, none, none},
    {join, joined, none, none},
    {joined, joined, none, none},
    // Mailbox: the owner receives, so two receives are never concurrent (see refine for the rest).
    {send, send, observed, observed},
    {send, receive, enables, none},
    {send, try_receive, race, none},
    {send, try_receive_none, race, race},
    {receive, receive, none, none},
    {receive, try_receive, none, none},
    {receive, try_receive_none, none, none},
    {try_receive, try_receive, none, none},
    {try_receive, try_receive_none, none, none},
    {try_receive_none, try_receive_none, none, none},
    // A time-out is ordered with everything, and needs no table for it.
    {time_out, time_out, none, none},
};

constexpr std::size_t first_of_class(std::size_t m) {
  constexpr Mode starts[] = {read, lock, read_lock, wait, sem_wait, arrive, create, send, time_out};
  std::size_t found = 0;
  for (Mode s : starts)
    if (static_cast<std::size_t>(s) <= m) found = static_cast<std::size_t>(s);
  return found;
}

constexpr bool each_pair_once() {
  std::array<std::array<int, mode_count>, mode_count> seen{};
  for (const Rule& r : rules) {
    const auto i = static_cast<std::size_t>(r.first), j = static_cast<std::size_t>(r.second);
    ++seen[i][j];
    if (i != j) ++seen[j][i];
  }
  for (std::size_t i = 0; i < mode_count; ++i)
    for (std::size_t j = 0; j < mode_count; ++j)
      if (seen[i][j] != (first_of_class(i) == first_of_class(j) ? 1 : 0)) return false;
  return true;
}
static_assert(each_pair_once(), "each pair of modes of one class has exactly one rule");

}  // namespace

const Dependence& Dependence::standard() {
  static const Dependence table = [] {
    Dependence d;
    for (auto& row : d.table_)
      row.fill(Relation::race);  // other classes never meet; unknown means dependent
    for (const Rule& r : rules) {
      d.table_[static_cast<std::size_t>(r.first)][static_cast<std::size_t>(r.second)] = r.forward;
      d.table_[static_cast<std::size_t>(r.second)][static_cast<std::size_t>(r.first)] = r.backward;
    }
    d.derive();
    return d;
  }();
  return table;
}

Dependence Dependence::without(Mode x, Mode y) const {
  Dependence d = *this;
  d.table_[static_cast<std::size_t>(x)][static_cast<std::size_t>(y)] = Relation::none;
  d.table_[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)] = Relation::none;
  d.derive();
  return d;
}

// REQUIRES: one of the pairs that detailed() tells. Two calls that may wake threads are ordered if
// one of them does. For two threads that wake, the second could have taken what the first took if
// it waited then; it took something that came later, or would have taken the same.
bool Dependence::refine_condition(const Access& first, const Access& second) {
  const bool wakes = first.mode == signal || first.mode == broadcast;
  if (second.mode == signal || second.mode == broadcast) return (first.a | second.a) != 0;
  if (wakes) return first.a == second.a;
  return first.a == second.a || (first.a < second.a && second.b < first.a);
}

Relation Dependence::refine(Relation r, const Access& first, const Access& second) {
  HEDDLE_CHECK(detailed(first.mode, second.mode) && class_of(first.mode) == class_of(second.mode));
  if (class_of(first.mode) == ObjectClass::condition)
    return refine_condition(first, second) ? r : none;
  if (first.mode == arrive && second.mode == arrive) return first.a == second.a ? none : r;
  if (first.mode == arrive || second.mode == arrive) return first.a == second.a ? r : none;
  if (first.mode == send && second.mode == send) return r;
  if (first.mode == send && second.mode != try_receive_none) return first.a == second.a ? r : none;
  // Found nothing, and a match was sent later; or earlier, and the receive has refused it.
  return (first.mode == send ? accepts(second, first) : accepts(first, second)) ? r : none;
}

// True if `later` acquires the object exclusively: then a waiter races with `later` only, not with
// `earlier`. Of readers, or of tokens, those taken earlier still count.
bool Dependence::takes_all(Mode later) {
  const ObjectClass kind = class_of(later);
  return kind == ObjectClass::mutex || kind == ObjectClass::semaphore || later == write_lock ||
         later == try_write_lock;
}

void Dependence::derive() {
  for (std::size_t i = 0; i < mode_count; ++i)
    for (std::size_t j = 0; j < mode_count; ++j)
      dependent_[i][j] = table_[i][j] != none || table_[j][i] != none;
  for (std::size_t later = 0; later < mode_count; ++later)
    for (std::size_t earlier = 0; earlier < mode_count; ++earlier) {
      // (A wait is ordered with whatever signals; and one that leaves nothing comes after another
      // that does, which stands for the wait already.)
      const bool signals =
          later == static_cast<std::size_t>(signal) || later == static_cast<std::size_t>(broadcast);
      const bool plain =
          (!detail(static_cast<Mode>(later)) || signals) && !detail(static_cast<Mode>(earlier));
      stands_for_[0][later][earlier] = stands_for_[1][later][earlier] = plain;
      for (std::size_t k = 0; k < mode_count; ++k) {
        const Relation old = table_[earlier][k], now = table_[later][k];
        if (old == none || now == race) continue;
        if (old == excludes ? now == excludes && takes_all(static_cast<Mode>(later))
                            : now == old || now == excludes)
          continue;
        stands_for_[1][later][earlier] = false;
        if (now != observed) stands_for_[0][later][earlier] = false;
      }
    }
}

}  // namespace heddle
