#include "core/execution.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "model/messages.hpp"

namespace heddle {

Execution::Execution(const Footprints& footprints, std::size_t threads, Observers observers,
                     std::span<const Wait> waits)
    : footprints_(footprints),
      table_(footprints.dependence()),
      threads_(threads),
      observers_(observers),
      last_of_thread_(threads),
      created_(threads),
      scratch_(threads) {
  for (const Wait& w : waits) {
    HEDDLE_CHECK(w.first.thread < threads && w.second.thread < threads);
    waits_.resize(threads);
    waits_[w.second.thread].push_back(w);
  }
}

void Execution::assign(std::span<const Event> events, std::span<const Pending> pending,
                       std::size_t shared) {
  // Who waited when another timed out is not kept, nor how many races there were at the end.
  if (fence_ != 0 || (!pending.empty() && pending.front().at != events.size())) shared = 0;
  if (shared == size() && shared != 0) --shared;
  if (observers_ == Observers::yes) shared = find_readers(events, shared);
  shared_ = static_cast<std::uint32_t>(shared);
  if (observers_ == Observers::yes) mark_repeated(shared_);
  go_back_to(shared_);
  add(events, pending);
  const auto total = static_cast<std::uint32_t>(events_.size() + pending_.size());
  for (auto next = static_cast<std::uint32_t>(shared), waiting = size();
       next < size() || waiting < total;) {
    const bool waits = waiting < total && (next == size() || pending_at_[waiting - size()] <= next);
    const std::uint32_t j = waits ? waiting++ : next++;
    const ThreadId thread = event(j).move.thread;
    Tick* own = clock(j);
    const std::uint32_t last = previous_[j] = last_of_thread_[thread];
    bool any = false;
    for_leading(j, [&](std::uint32_t k) {
      any ? join(own, clock(k)) : static_cast<void>(std::copy_n(clock(k), threads_, own));
      any = true;
    });
    if (!any) std::fill_n(own, threads_, 0);
    index_[j] = own[thread];
    if (fence_ > last) join(own, clock(fence_ - 1));
    if (!waits) marks_[j] = {races_.size(), waiting_.size()};
    collect(j);
    if (footprints_.times_out(event(j).footprint))
      order_time_out(j);
    else if (footprints_.blocking(event(j).footprint) == nullptr)
      order(j);
    else
      order_waiting(j);
    own[thread] = index_[j] + 1;
    if (waits) continue;
    last_of_thread_[thread] = j + 1;
    remember(j);
  }
  find_waiting_races();
}

// For the races that are kept: whether all that is forgotten happens after their first events, and
// so is in none of their reversals.
void Execution::mark_repeated(std::uint32_t shared) {
  if (shared == 0) return;
  const auto [races, waiting] = marks_[shared];
  for (Race& race : std::span(races_).first(races))
    race.repeated = !race.observed && before_all_from(race.first, shared);
  for (Waiting& w : std::span(waiting_).first(waiting))
    w.repeated = w.races && before_all_from(w.first, shared);
}

// Forgets all but the first events.
void Execution::go_back_to(std::uint32_t shared) {
  if (shared == 0) {
    std::ranges::fill(last_of_thread_, 0);
    std::ranges::fill(created_, 0);
    erased_.clear();
    erased_counts_.clear();
    ++epoch_;
  }
  for (std::uint32_t j = size(); shared != 0 && j-- > shared;) {
    last_of_thread_[events_[j].move.thread] = previous_[j];
    forget(j);
  }
  const Mark mark = shared == 0 ? Mark{} : marks_[shared];
  races_.resize(mark.races);
  waiting_.resize(mark.waiting);
  also_.clear();
  pending_.clear();
  pending_at_.clear();
  fence_ = 0;
  events_.resize(shared);
}

void Execution::add(std::span<const Event> events, std::span<const Pending> pending) {
  events_.insert(events_.end(), events.begin() + std::ssize(events_), events.end());
  for (const Pending& p : pending) {
    pending_.push_back({{p.thread, 0}, p.footprint, p.step, 1});
    pending_at_.push_back(p.at);
  }
  const std::size_t total = events_.size() + pending_.size();
  clocks_.resize(total * threads_);
  index_.resize(total);
  previous_.resize(total);
  marks_.resize(events_.size());
}

// It comes after all events so far, and before all others.
void Execution::order_time_out(std::uint32_t j) {
  for (const std::uint32_t last : last_of_thread_)
    if (last != 0) join(clock(j), clock(last - 1));
  fence_ = j + 1;
}

bool Execution::before_all_from(std::uint32_t i, std::uint32_t from) const {
  const ThreadId thread = events_[i].move.thread;
  for (std::uint32_t k = from; k < size(); ++k)
    if (clock(k)[thread] <= index_[i]) return false;
  return true;
}

std::vector<Execution::User>& Execution::users(Location location) {
  if (location >= users_.size()) {
    users_.resize(location + 1);
    users_epoch_.resize(location + 1);
  }
  if (users_epoch_[location] != epoch_) {
    users_epoch_[location] = epoch_;
    users_[location].clear();
  }
  return users_[location];
}

void Execution::join(Tick* into, const Tick* other) const {
  for (std::size_t t = 0; t < threads_; ++t) into[t] = std::max(into[t], other[t]);
}

// Or what created the thread, if it has taken none; + 1.
std::uint32_t Execution::last_step_of(std::size_t thread) const {
  return last_of_thread_[thread] != 0 ? last_of_thread_[thread] : created_[thread];
}

// The event that is this step, + 1, or 0 if it has not happened.
std::uint32_t Execution::event_of(StepName step) const {
  std::uint32_t event = last_of_thread_[step.thread];
  while (event != 0 && index_[event - 1] > step.index) event = previous_[event - 1];
  return event != 0 && index_[event - 1] == step.index ? event : 0;
}

// What led the thread to this step, dependent or not: its step before, or what created it; the last
// steps of the threads that it has joined since; and what it waited for.
template <typename Visit>
void Execution::for_leading(std::uint32_t j, Visit visit) const {
  const std::uint32_t before_it = previous_[j] != 0 ? previous_[j] : created_[event(j).move.thread];
  if (before_it != 0) visit(before_it - 1);
  footprints_.for_threads(event(j).footprint, Mode::joined, [&](std::size_t thread) {
    if (const std::uint32_t last = last_step_of(thread); last != 0) visit(last - 1);
  });
  if (waits_.empty()) return;
  const std::uint32_t index = previous_[j] == 0 ? 0 : index_[previous_[j] - 1] + 1;
  for (const Wait& w : waits_[event(j).move.thread])
    if (const std::uint32_t first = w.second.index == index ? event_of(w.first) : 0; first != 0)
      visit(first - 1);
}

// Which writes and sends an event sees (section 6 of the 2018 paper: an extra pass at the end).
// Returns how many of the shared events are seen as they were in the run before.
std::size_t Execution::find_readers(std::span<const Event> events, std::size_t shared) {
  std::swap(has_reader_, had_reader_);
  std::swap(taken_by_, was_taken_by_);
  has_reader_.assign(events.size(), 0);
  taken_by_.assign(events.size(), 0);
  read_from_.clear();
  sent_by_.clear();
  ++pass_;
  for (std::uint32_t j = 0; j < events.size(); ++j)
    for (const Access& a : footprints_.accesses(events[j].footprint)) {
      if (a.location >= last_write_.size()) {
        last_write_.resize(a.location + 1);
        last_write_pass_.resize(a.location + 1);
      }
      const bool fresh = last_write_pass_[a.location] == pass_;
      const std::uint32_t last = fresh ? last_write_[a.location] : 0;
      if (observes_memory(a.mode) && last != 0) {
        has_reader_[last - 1] = 1;
        read_from_.push_back({last - 1, j});
      }
      if (a.mode == Mode::send) sent_by_[a.a] = j;
      if (a.mode == Mode::receive || a.mode == Mode::try_receive) {
        const std::uint32_t send = sent_by_.at(a.a);
        taken_by_[send] = j + 1;
        read_from_.push_back({send, j});
      }
      if (class_of(a.mode) == ObjectClass::memory && a.mode != Mode::read) {
        last_write_pass_[a.location] = pass_;
        last_write_[a.location] = a.mode == Mode::write ? j + 1 : 0;
      }
    }
  std::size_t same = 0;
  while (same < shared && has_reader_[same] == had_reader_[same] &&
         taken_by_[same] == was_taken_by_[same])
    ++same;
  return same;
}

Relation Execution::relation(const User& user, std::uint32_t j, const Access& access) const {
  const Relation r = table_.relation(user.access, access);
  if (r != Relation::observed) return r;
  if (observers_ == Observers::no) return Relation::race;
  if (access.mode == Mode::send) return receive_sees(user.event, j) ? r : Relation::none;
  return has_reader(user.event) || has_reader(j) ? r : Relation::none;
}

// Of two sends, the one that a receive takes first.
std::uint32_t Execution::taken_first(std::uint32_t i, std::uint32_t j) const {
  if (taken_by_[i] == 0 || taken_by_[j] == 0) return taken_by_[i] == 0 ? j : i;
  return taken_by_[i] < taken_by_[j] ? i : j;
}

// The first receive that takes either of two sends would have taken the other, had it come first;
// or may have refused it.
bool Execution::receive_sees(std::uint32_t i, std::uint32_t j) const {
  const std::uint32_t taken = taken_first(i, j), other = taken == i ? j : i;
  if (taken_by_[taken] == 0) return false;
  return accepts(footprints_.accesses(events_[taken_by_[taken] - 1].footprint)[0],
                 footprints_.accesses(events_[other].footprint)[0]);
}

// The earlier events that j depends on directly, latest first.
void Execution::collect(std::uint32_t j) {
  candidates_.clear();
  const ThreadId thread = event(j).move.thread;
  for (const Access& a : footprints_.accesses(event(j).footprint))
    for (const User& user : users(a.location)) {
      if (events_[user.event].move.thread == thread) continue;
      const Relation r = relation(user, j, a);
      if (r != Relation::none) candidates_.push_back({user.event, r});
    }
  if (candidates_.size() > 1)
    std::ranges::sort(candidates_, [](const Candidate& x, const Candidate& y) {
      return x.event != y.event ? x.event > y.event : x.relation < y.relation;
    });
}

// A candidate is in a race with j if no later one, nor j's thread, comes after it.
void Execution::order(std::uint32_t j) {
  Tick* own = clock(j);
  for (const Candidate& c : candidates_) {
    if (own[events_[c.event].move.thread] > index_[c.event]) continue;
    if (c.relation != Relation::enables)
      races_.push_back({c.event, j, c.relation == Relation::observed});
    join(own, clock(c.event));
  }
}

// A step that can wait may race with any of those that exclude it or enable it: with which, is
// known once the whole order is.
void Execution::order_waiting(std::uint32_t j) {
  Tick* own = clock(j);
  for (const Candidate& c : candidates_)
    if (own[events_[c.event].move.thread] <= index_[c.event] && c.relation != Relation::enables)
      waiting_.push_back({c.event, j, c.relation, false, false});
  for (const Candidate& c : candidates_) join(own, clock(c.event));
}

// Each is in a race with the latest of those before which it would find what it waits for. What
// only enabled it does not stand between. Those of one step are together, latest first.
void Execution::find_waiting_races() {
  for (std::size_t k = 0; k < waiting_.size(); ++k) {
    auto& [first, second, relation, is_race, repeated] = waiting_[k];
    is_race = false;
    if (k == 0 || waiting_[k - 1].second != second) std::ranges::fill(scratch_, 0);
    Race race{first, second, false, static_cast<std::uint32_t>(also_.size()),
              static_cast<std::uint32_t>(also_.size())};
    if (scratch_[events_[first].move.thread] > index_[first] || !could_go_before(race)) continue;
    is_race = true;
    race.repeated = repeated;
    races_.push_back(race);
    if (relation == Relation::excludes) join(scratch_.data(), clock(first));
  }
}

// Without the first and all that happens after it, would the second find what it waits for? (Before
// its last lock, a mutex was always free; and a thread that took a token that the second could
// have taken leaves it there.)
bool Execution::could_go_before(Race& race) {
  const Mode mode = footprints_.blocking(event(race.second).footprint)->mode;
  if (mode == Mode::lock || class_of(mode) == ObjectClass::condition) return true;
  do {
    sequence_.assign(events_.begin(), events_.begin() + race.first);
    places_.clear();
    for (std::uint32_t k = race.first + 1; k < size(); ++k)
      if (stays(race, k)) {
        sequence_.push_back(events_[k]);
        places_.push_back(k);
      }
    if (enabled_after(footprints_, sequence_, event(race.second))) return true;
  } while (add_readers_in_the_way(race));
  return false;
}

// False if there are none, or if one of them must come first all the same.
bool Execution::add_readers_in_the_way(Race& race) {
  const auto readers = readers_in_the_way(footprints_, sequence_, event(race.second));
  for (const std::size_t at : readers) {
    if (at < race.first) return false;
    const std::uint32_t k = places_[at - race.first];
    bool first = false;
    for_leading(race.second, [&](std::uint32_t m) { first = first || m == k || before(k, m); });
    if (first) return false;
    also_.push_back(k);
    ++race.also_end;
  }
  return !readers.empty();
}

// Adds j to the users of its objects, in place of those it stands for.
void Execution::remember(std::uint32_t j) {
  const FootprintId footprint = events_[j].footprint;
  footprints_.for_threads(footprint, Mode::create, [&](std::size_t t) { created_[t] = j + 1; });
  for (const Access& a : footprints_.accesses(footprint)) {
    if (tells_of_thread(a.mode)) continue;
    std::vector<User>& list = users(a.location);
    const std::size_t before_it = list.size();
    std::size_t kept = 0;
    for (const User& user : list) {
      const bool stands_for =
          user.event != j &&
          table_.stands_for(a.mode, user.access.mode, observers_ == Observers::yes) &&
          before(user.event, j);
      if (stands_for)
        erased_.push_back(user);
      else
        list[kept++] = user;
    }
    erased_counts_.push_back(static_cast<std::uint32_t>(before_it - kept));
    list.resize(kept);
    User& own = list.emplace_back();  // in place: the processor is slow to copy what was just made
    own.event = j;
    own.access = a;
  }
}

// Undoes that, for the latest event. The order of users does not matter.
void Execution::forget(std::uint32_t j) {
  const FootprintId footprint = events_[j].footprint;
  footprints_.for_threads(footprint, Mode::create, [&](std::size_t t) { created_[t] = 0; });
  const auto accesses = footprints_.accesses(footprint);
  for (auto a = accesses.rbegin(); a != accesses.rend(); ++a) {
    if (tells_of_thread(a->mode)) continue;
    std::vector<User>& list = users_[a->location];
    *std::ranges::find(list, j, &User::event) = list.back();
    list.pop_back();
    const auto again = erased_.end() - erased_counts_.back();
    list.insert(list.end(), again, erased_.end());
    erased_.erase(again, erased_.end());
    erased_counts_.pop_back();
  }
}

void Execution::observers(const Race& race, std::vector<std::uint32_t>& out) const {
  out.clear();
  const bool sends = footprints_.accesses(events_[race.first].footprint)[0].mode == Mode::send;
  const std::uint32_t source = sends ? taken_first(race.first, race.second) : race.second;
  for (const ReadFrom& r : read_from_)
    if (r.source == source && !before(r.reader, race.second)) out.push_back(r.reader);
  std::ranges::sort(out);
  std::size_t kept = 0;
  for (std::size_t k = 0; k < out.size(); ++k) {
    bool later = false;
    for (std::size_t m = 0; m < kept; ++m)
      later = later || out[m] == out[k] || before(out[m], out[k]);
    if (!later) out[kept++] = out[k];
  }
  out.resize(kept);
}

}  // namespace heddle
