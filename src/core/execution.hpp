// One run: its events, their order, and its reversible races, computed fast.
//
// The order is happens-before as order.hpp defines it, as one vector clock per event. Races are
// found from what each object's last users were, never by comparing all pairs: the work is
// proportional to events times threads, plus the races themselves.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/order.hpp"
#include "model/event.hpp"
#include "model/runner.hpp"

namespace heddle {

struct Race {
  std::uint32_t first;   // an event
  std::uint32_t second;  // an event, or a pending step, which is numbered after all events
  bool observed;         // two writes or sends whose order an event saw
  // Where the second waits for several at once (a writer for all readers), it cannot come before
  // one of them alone: the others, as a part of Execution's list.
  std::uint32_t also_begin = 0;
  std::uint32_t also_end = 0;
  // The run before has it as well, and nothing in its reversal there that this run does not share.
  bool repeated = false;
};

class Execution {
 public:
  Execution(const Footprints& footprints, std::size_t threads, Observers observers,
            std::span<const Wait> waits = {});

  // Loads a run. Its first `shared` events equal those of the previous run, and are not computed
  // again; the memory of the others is reused.
  void assign(std::span<const Event> events, std::span<const Pending> pending,
              std::size_t shared = 0);

  std::span<const Event> events() const { return events_; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(events_.size()); }
  // An event, or after all events a pending step as if it were one.
  const Event& event(std::uint32_t i) const {
    return i < size() ? events_[i] : pending_[i - size()];
  }
  // How many events had happened before an event, or when a pending step could not.
  std::uint32_t place_of(std::uint32_t i) const { return i < size() ? i : pending_at_[i - size()]; }

  // i happens before j.
  bool before(std::uint32_t i, std::uint32_t j) const {
    return i != j && clock(j)[events_[i].move.thread] > index_[i];
  }
  // The k-th event can come before the race's second when that comes before the race's first: it
  // happens neither after the first nor after those that come along, and is none of them.
  bool stays(const Race& race, std::uint32_t k) const {
    if (before(race.first, k)) return false;
    for (std::uint32_t n = race.also_begin; n < race.also_end; ++n)
      if (also_[n] == k || before(also_[n], k)) return false;
    return k != race.second;
  }
  // Every event from `from` on happens after i.
  bool before_all_from(std::uint32_t i, std::uint32_t from) const;

  std::span<const Race> races() const { return races_; }
  // The reversal of this race is, event for event, what it was in the run before. (With observers;
  // without, this is not asked.)
  bool is_repeated(const Race& race) const {
    return race.repeated && before_all_from(race.first, shared_);
  }

  // The first events that see in which order an observed race went, in order.
  void observers(const Race& race, std::vector<std::uint32_t>& out) const;

 private:
  using Tick = std::uint32_t;
  struct User {  // of an object: an event that later ones must be compared with
    std::uint32_t event;
    Access access;
  };
  struct Candidate {
    std::uint32_t event;
    Relation relation;
  };
  struct Waiting {  // a step that can wait, and an event that had a part in that
    std::uint32_t first, second;
    Relation relation;
    bool races = false;
    bool repeated = false;  // see Race
  };
  struct Mark {  // how many there were before an event
    std::size_t races = 0, waiting = 0;
  };
  struct ReadFrom {
    std::uint32_t source, reader;
  };

  Tick* clock(std::uint32_t i) { return clocks_.data() + std::size_t{i} * threads_; }
  const Tick* clock(std::uint32_t i) const { return clocks_.data() + std::size_t{i} * threads_; }
  std::vector<User>& users(Location location);
  void join(Tick* into, const Tick* other) const;
  std::uint32_t last_step_of(std::size_t thread) const;
  std::uint32_t event_of(StepName step) const;
  template <typename Visit>
  void for_leading(std::uint32_t j, Visit visit) const;
  std::size_t find_readers(std::span<const Event> events, std::size_t shared);
  bool has_reader(std::uint32_t i) const { return has_reader_[i] != 0; }
  std::uint32_t taken_first(std::uint32_t i, std::uint32_t j) const;
  bool receive_sees(std::uint32_t i, std::uint32_t j) const;
  Relation relation(const User& user, std::uint32_t j, const Access& access) const;
  void mark_repeated(std::uint32_t shared);
  void go_back_to(std::uint32_t shared);
  void add(std::span<const Event> events, std::span<const Pending> pending);
  void order_time_out(std::uint32_t j);
  void collect(std::uint32_t j);
  void order(std::uint32_t j);
  void order_waiting(std::uint32_t j);
  void find_waiting_races();
  void remember(std::uint32_t j);
  void forget(std::uint32_t j);
  bool could_go_before(Race& race);
  bool add_readers_in_the_way(Race& race);

  const Footprints& footprints_;
  const Dependence& table_;
  std::size_t threads_;
  Observers observers_;
  std::vector<std::vector<Wait>> waits_;  // by the thread of the second
  std::vector<Event> events_;
  std::vector<Event> pending_;
  std::vector<std::uint32_t> pending_at_;
  std::vector<Tick> clocks_;  // by event and thread: how many of its events come before
  std::vector<Tick> index_;   // of each event in its thread
  std::vector<std::uint32_t> last_of_thread_;  // event + 1
  std::vector<std::uint32_t> created_;         // by thread: the event that did, + 1
  std::vector<Tick> scratch_;
  std::vector<std::vector<User>> users_;      // by location
  std::vector<User> erased_;                  // from their lists, with those that stand for them
  std::vector<std::uint32_t> erased_counts_;  // by access
  std::vector<std::uint32_t> users_epoch_;
  std::uint32_t epoch_ = 0;
  std::uint32_t fence_ = 0;   // the last time-out, + 1
  std::uint32_t shared_ = 0;  // events kept from the run before
  std::vector<Candidate> candidates_;
  std::vector<Race> races_;
  std::vector<Waiting> waiting_;
  std::vector<Mark> marks_;  // by event
  std::vector<std::uint32_t> also_;
  std::vector<std::uint32_t> previous_;  // by event: the one before it in its thread, + 1
  std::vector<ReadFrom> read_from_;
  std::vector<std::uint8_t> has_reader_;
  std::vector<std::uint32_t> taken_by_;  // of a send: the receive that took it, + 1
  std::unordered_map<std::uint64_t, std::uint32_t> sent_by_;  // by message: the send
  std::vector<std::uint32_t> last_write_;                     // by location: event + 1
  std::vector<std::uint32_t> last_write_pass_;
  std::uint32_t pass_ = 0;
  std::vector<std::uint8_t> had_reader_;  // of the run before
  std::vector<std::uint32_t> was_taken_by_;
  std::vector<Event> sequence_;
  std::vector<std::uint32_t> places_;  // of its events that come after a race's first
};

}  // namespace heddle
