// The states of a program that have been reached, and the moves explored there. For merging
// (merging.hpp); lines refer to it.
//
// Invariants:
//   (1) The graph has no cycle: for each edge, the level of its end is higher.
//   (2) Each configuration of a node's summary has been carried over all edges into the node.
//   (3) What sleeps at a node sleeps after all edges into it.
//   (4) A branch that is planned and awake is run, or will be; what sleeps is not, until it wakes.
//   (5) What plain accesses that matter (plain.hpp) follow a node has been carried over all edges
//       into it, and over the beginning.
//   (6) The path to a node leads through nodes that are not forgotten.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/index_table.hpp"
#include "base/random.hpp"
#include "core/reduction/configurations.hpp"
#include "core/reduction/plain.hpp"
#include "core/reduction/state_node.hpp"
#include "model/runner.hpp"

namespace heddle {

class StateGraph final : public KnownStates {
 public:
  StateGraph(const Footprints& footprints, const Cube& cube, Random* random,
             const Stretches& stretches = no_stretches);

  bool has(const Digest& digest) const override { return find(digest) != nullptr; }

  // What is to be run: a move of a node, or, without one, whatever is awake there.
  struct Job {
    StateNode* node = nullptr;
    std::optional<Move> move = {};
    ThreadBits toward = 0;  // which are to continue, to come to what the move was planned for
  };
  // l.1: the next that is to be run, which is then claimed. Nothing, if all is done.
  std::optional<Job> claim();
  bool has_job();
  // The run of a job has been taken in.
  void finish(const Job& job);
  // The node is to be run on from, whatever is awake there.
  void resume_at(StateNode* node);

  // l.2, l.3: an event that was executed at u and led to the state of this digest. Returns where it
  // leads, and whether that is new: if not, the run ends there for us.
  struct Reached {
    StateNode* node;
    bool is_new;
  };
  Reached extend(StateNode* u, const Event& event, const Digest& digest,
                 StretchId stretch = Stretches::empty);
  // l.4: a thread waits at u.
  void learn_waiting(StateNode* u, const Pending& pending);
  // l.5: to be called after each run; until then (2) and (5) do not hold.
  void learn_all();
  // The run ended at u, where these were thought to sleep. Some may have been woken since.
  void end_among(StateNode* u, std::span<const AsleepMove> asleep);

  // Data races, whose schedules end with the move before the second access.
  struct FoundRace {
    RacingPair pair;
    Schedule schedule;
  };
  // Whether a schedule is to be found for a race. Asked whenever one is found.
  std::function<bool(const RacingPair&)> wants_race;
  // What comes before the first event.
  void set_beginning(StretchId stretch);
  // Those whose schedules have been found since the last call. For some, states have to be reached
  // anew that were forgotten.
  std::vector<FoundRace> take_races() { return std::exchange(traced_, {}); }
  bool is_tracing() const { return !tracing_.empty(); }

  // l.9: what sleeps after this move of u. REQUIRES: it is planned.
  void passed(const StateNode* u, Move move, std::vector<AsleepMove>& out) const;
  // From the beginning to the node.
  void path_to(const StateNode* node, std::vector<Event>& out) const;

  // What is planned at a node, and whether a move sleeps there.
  const StateNodes& nodes() const { return nodes_; }

  // If there are more nodes than this, or if they take more bytes, forgets nodes that are closed,
  // until it is half of that: those that were not merged into for longest, and only those whose
  // successors are forgotten. If it is still more, new states will not be found by their digests. 0
  // is no limit. To be called between runs.
  struct Room {
    std::size_t nodes = 0, bytes = 0;
  };
  void keep_within(const Room& room);

  // Nodes that were added, edges, and nodes at which something is to be run, or in flight.
  std::uint64_t states() const { return states_; }
  std::uint64_t edges() const { return edges_; }
  std::uint64_t open() const { return open_; }

 private:
  struct Learned {
    StateNode* node;
    ConfigurationNumber configuration;
  };

  const StateNode* find(const Digest& digest) const;
  StateNode* add();
  StateNode* add_after(const StateNode* u, EventNumber event, const Digest& digest);
  void link(StateNode* u, EventNumber event, StateNode* s);
  EventNumber number_of(const StateNode* u, const Event& event,
                        StretchId stretch = Stretches::empty);
  EventNumber execute(StateNode* u, const Event& event, StretchId stretch);

  void plan(StateNode* u, const Event& event, ThreadBits toward = 0);
  void add_job(const Job& job);
  bool is_due(const Job& job) const;

  void learn(StateNode* u, ConfigurationNumber c);
  void carry(StateNode* u, StepNumber e, ConfigurationNumber c);
  void reverse(StateNode* u, ConfigurationNumber c, bool if_enabled);
  Holders held_at(const StateNode* u, const Access& wanted) const;

  // A race of which the way to its second access is still looked for: from a node on, which is not
  // forgotten meanwhile, to the access of an entry.
  struct Tracing {
    FoundRace race;
    StateNode* node;
    Plain::Entry entry;
  };
  void carry_plain(StateNode* s);
  void carry_plain(StateNode* u, EventNumber e, StateNode* s);
  void carry_growth();
  void note_races(const StateNode* u, std::optional<Move> move, StateNode* s);
  bool trace(Tracing& tracing);
  bool advance(Tracing& tracing);
  void explore_again(StateNode* node);

  bool may_sleep(const Event& event) const {
    return footprints_.varies(event.footprint) == Varies::no;
  }
  void wake_after(StateNode* u, Move move);
  void wake_rest();
  void wake(StateNode* s, std::span<const AsleepMove> passed);
  void wake_planned(StateNode* s, Move move);

  // To be called where something was planned or woke at a node, or was executed there.
  void note_open(StateNode* node);
  void set_open(StateNode* node, bool open);
  bool is_open(const StateNode* node) const;

  std::size_t memory() const;
  bool is_beyond(const Room& room) const;
  void find_closed();
  bool is_closed(const StateNode* node) const;
  void forget(StateNode* node);
  void forget_configurations();
  bool can_be_forgotten(const StateNode* node) const;

  const Footprints& footprints_;
  Configurations configurations_;
  EventTable events_{configurations_};
  StateNodes nodes_{events_};
  Random* random_;  // null: deepest first
  IndexTable by_digest_;
  std::vector<std::vector<Job>> jobs_;  // by depth; with a random order all in one
  std::size_t deepest_ = 0;
  std::vector<Learned> to_learn_;
  std::vector<ConfigurationNumber> learned_;  // scratch
  Plain plain_;
  StretchId beginning_ = Stretches::empty;
  std::vector<StateNode*> plain_grew_;
  std::vector<Tracing> tracing_;
  std::vector<FoundRace> traced_;
  std::vector<Job> to_wake_;
  std::vector<AsleepMove> scratch_, woken_;
  std::uint32_t merges_ = 0;
  std::vector<NodeNumber> from_;  // scratch
  bool full_ = false;             // new states are not listed
  std::size_t next_sweep_ = 0;    // how many nodes there are when closed ones are looked for again
  std::uint64_t states_ = 0, edges_ = 0, open_ = 0;
};

}  // namespace heddle
