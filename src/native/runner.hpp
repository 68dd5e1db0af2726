// Compiled programs as a Runner: schedules go to a worker process, its logs come back.
#pragma once

#include <deque>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "model/runner.hpp"
#include "native/explanation.hpp"
#include "native/locations.hpp"
#include "native/worker.hpp"

namespace heddle::native {

// Thrown if two runs of one schedule differ.
struct Nondeterminism {
  std::size_t step;  // at which they part
  std::uint64_t site;
  Schedule schedule;
};

// Thrown if the program does what cannot be explored.
struct Unsupported {
  Outcome outcome;
};

class NativeRunner final : public Runner {
 public:
  // The worker's settings are in place. Of so many schedules, one is tried twice.
  NativeRunner(Worker& worker, Knowledge& knowledge, std::uint64_t repeat_every);
  ~NativeRunner() override;

  std::size_t thread_count() const override { return knowledge_.threads; }
  const Footprints& footprints() const override { return footprints_; }
  std::size_t capacity() const override { return capacity_; }

  // These throw Unsupported if the program does what is not supported, Learned when something about
  // it became known, and Nondeterminism if a schedule that is tried twice, the second time from the
  // very beginning, does not do the same.
  void submit(const Request& request) override;
  const Log& next() override;
  std::optional<Event> with_use(const Event& event, const Access& use) override;

  // Runs a schedule and stops behind it, like a Request that says so; if some thread could go on
  // there, these are the moves. What is known is as in a Request.
  const Log& look(std::span<const Move> schedule, std::span<const Event> known);
  std::span<const Move> choices() const { return choices_; }
  // Those of them that may have more alternatives than the first: see Varies::choices.
  std::span<const ThreadId> choosers() const { return choosers_; }

  // To be called when no more logs are asked for: what is being tried twice may still differ.
  void finish();

  // Of the log that came last.
  const Outcome& outcome() const { return outcome_; }
  // The same, of one that died: who was on the way to a step that did not come, if it was so.
  const std::optional<Move>& dying_move() const { return dying_move_; }
  // Of all logs.
  struct Notes {
    std::uint32_t set = 0;  // of abi::Note
    std::uint64_t leaked_at = 0, never_joined = 0;
    std::uint64_t cut_off = 0;  // how many had note_spin
    // Of the first that was given up: why, and where.
    abi::Held held = abi::Held::nowhere;
    std::uint64_t held_at = 0;
    // How many were given up since there is no room for more of something, the first of what, and
    // where.
    std::uint64_t bounded = 0;
    abi::Bound bound = abi::Bound::none;
    std::uint64_t bound_at = 0;
    // Of the first that left a thread blocked: its number + 1, and where.
    std::uint32_t left_blocked = 0;
    std::uint64_t left_blocked_at = 0;

    Notes& operator+=(const Notes& other) {
      set |= other.set;
      if (leaked_at == 0) leaked_at = other.leaked_at;
      if (never_joined == 0) never_joined = other.never_joined;
      cut_off += other.cut_off;
      note_held(other.held, other.held_at);
      note_bound(other.bounded, other.bound, other.bound_at);
      note_left_blocked(other.left_blocked, other.left_blocked_at);
      return *this;
    }
    void note_held(abi::Held why, std::uint64_t at) {
      if (held != abi::Held::nowhere) return;
      held = why;
      held_at = at;
    }
    void note_bound(std::uint64_t runs, abi::Bound of, std::uint64_t at) {
      if (bounded == 0) {
        bound = of;
        bound_at = at;
      }
      bounded += runs;
    }
    void note_left_blocked(std::uint32_t thread, std::uint64_t at) {
      if (left_blocked != 0) return;
      left_blocked = thread;
      left_blocked_at = at;
    }
  };
  const Notes& notes() const { return notes_; }

  // Runs a schedule by itself: with all that there is to tell about it, or as runs are made by the
  // thousand. These throw Unsupported, and learn nothing.
  Explanation explain(std::span<const Move> schedule);
  Explanation run_alone(std::span<const Move> schedule);

  // Whether two runs of a schedule do the same.
  bool repeats(std::span<const Move> schedule);

 private:
  struct Asked {  // and not answered yet
    abi::RequestHeader header{};
    std::vector<Move> moves;
    std::vector<Event> known;  // of its log
    std::uint64_t known_hash = 0;
    bool again = false;  // the one before, once more

    void forget_known();
  };

  struct Step {  // what is known of one
    FootprintId footprint;
    std::uint16_t value;  // of events
  };

  // How a process died, and where in the run it was.
  struct Death {
    std::string fate;
    std::uint32_t events, waiting, going;
    double used;  // seconds of a processor's time, if it is not known who did it

    bool agrees_with(const Death& other) const;
  };

  void submit(const Request& request, abi::Then then);
  void keep_known(std::span<const Event> known, Asked& asked);
  void send(const Asked& asked);
  void ask_for_all(const abi::ReplyHeader& reply);
  void drain();
  Explanation run_alone(std::span<const Move> schedule, abi::Then then);
  const abi::ReplyHeader* receive();
  const abi::ReplyHeader* answer();
  void keep(const abi::ReplyHeader& reply);
  void done(const abi::ReplyHeader& reply);
  void decode(const abi::ReplyHeader& reply);
  void shorten(std::size_t events);
  bool is_possible(const abi::ReplyHeader& reply, const Asked& asked);
  bool is_possible(const abi::WireEvent& event, std::size_t threads);
  bool examine();
  bool ask_alone();
  const abi::ReplyHeader* unfinished_reply(const Asked& asked);
  std::optional<Death> death_of(const Asked& asked);
  bool is_doubtful() const;
  void note_death();
  void keep_first_run(const abi::ReplyHeader& reply);
  void check_same(const abi::ReplyHeader& reply);
  void learn_threads(const abi::ReplyHeader& reply);
  void learn_semaphores(const abi::ReplyHeader& reply);
  void learn_block_choices(const abi::ReplyHeader& reply);
  void learn(std::span<const abi::WireRace> races);
  const Step& step_of(std::uint32_t name);
  std::uint16_t value_in(const StepTable::Step& step);
  std::uint16_t name_of_value(std::uint64_t value);
  bool is_named(std::uint32_t name) const;

  Worker& worker_;
  Knowledge& knowledge_;
  std::uint64_t repeat_every_;
  Footprints footprints_;
  Locations locations_;
  std::size_t capacity_;
  std::deque<Asked> asked_;
  std::vector<Asked> unused_;                    // for their memory
  std::deque<std::vector<std::uint64_t>> kept_;  // replies taken before they were asked for
  std::uint64_t runs_ = 0;
  std::vector<Event> last_known_;            // of what was asked last
  std::vector<std::uint64_t> hashes_ = {0};  // by how many of them
  std::vector<abi::WireEvent> first_run_;    // of one that is being repeated
  abi::Finding first_finding_ = abi::Finding::none;
  std::optional<std::uint64_t> first_value_;
  std::vector<Step> steps_;  // by their names in the worker's dictionary
  std::unordered_map<std::uint64_t, std::uint16_t> value_names_;
  std::vector<Access> accesses_;
  std::vector<Event> events_;
  std::vector<Pending> pending_;
  std::vector<Move> choices_;
  std::vector<ThreadId> choosers_;
  Log log_;
  Outcome outcome_;
  std::optional<Move> dying_move_;
  Explanation unfinished_;  // of the run that died last
  std::uint32_t serial_ = 0;
  Notes notes_;
};

}  // namespace heddle::native
