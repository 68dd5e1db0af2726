// State merging: that nothing is lost, in any order of runs, and how few runs it takes.
#include "core/reduction/merging.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "core/algorithm.hpp"
#include "core/reduction/state_graph.hpp"
#include "core/reduction/state_node.hpp"
#include "interp/families.hpp"
#include "interp/oracle.hpp"
#include "interp/runner.hpp"
#include "interp/shuffled_runner.hpp"
#include "interp/text.hpp"

namespace heddle::interp {
namespace {

using Set = std::set<std::uint64_t>;

Set brute_force(const Program& program) {
  ModelMachine machine(program);
  const auto all = all_outcomes(machine, 100'000);
  return {all->final_states.begin(), all->final_states.end()};
}

struct Seen {
  Result result;
  Set final_states;
};

Seen merge(Runner& runner, ExploreOptions options = {}) {
  Seen seen;
  options.on_run = [&](const Log& log) {
    seen.final_states.insert(log.final_state);
    return Decision::proceed;
  };
  seen.result = explore_merging(runner, options);
  return seen;
}

// In many random orders, with up to eight runs in flight, and now and then with too little memory.
void expect_nothing_lost_in_any_order(const char* text, std::uint64_t orders = 600) {
  const Program program = parse_program(text);
  const Set expected = brute_force(program);
  ModelRunner runner(program);
  for (std::uint64_t seed = 1; seed <= orders; ++seed) {
    SCOPED_TRACE(std::string(text) + "seed " + std::to_string(seed));
    ShuffledRunner shuffled(runner, 1 + seed % 8, seed);
    ExploreOptions options;
    options.order = ExploreOptions::Pick::random;
    options.seed = seed;
    if (seed % 5 == 0) options.most_states = 1 + seed % 11;
    const Seen seen = merge(shuffled, options);
    ASSERT_TRUE(seen.result.complete);
    ASSERT_EQ(seen.final_states, expected);
  }
}

// --- rules: the smallest programs that lose something without each

TEST(Merging, CarriesTheSummaryOfAKnownState) {
  expect_nothing_lost_in_any_order("var y\nthread p: y = 0\nthread q: $0 = (y <= 2); y = 2\n");
}

TEST(Merging, CarriesWhatIsLearnedLaterOverAllEdges) {
  expect_nothing_lost_in_any_order(
      "var x\nthread p: x = 2\nthread q: $0 = x\nthread r: x = 0\nthread s: $0 = (x <= 0)\n");
}

TEST(Merging, IsNotContentWithAMoveThatCommutesWithAConfiguration) {
  expect_nothing_lost_in_any_order(
      "var x\nvar y\nthread p: $0 = (x <= 1); $1 = x\nthread q: y = 2; x = 2\nthread r: $0 = x\n");
}

TEST(Merging, KnowsThreadsThatWaitAtTheEnd) {
  expect_nothing_lost_in_any_order("var x\nmutex n\nthread p: x = 0; lock n\nthread q: lock n\n");
}

TEST(Merging, KnowsThatAnUnlockIsNotInTheWay) {
  expect_nothing_lost_in_any_order("mutex m\nthread p: lock m; unlock m\nthread q: lock m\n");
}

TEST(Merging, PutsNoStepToSleepWhoseAccessesVary) {
  expect_nothing_lost_in_any_order(
      "var x\nvar y\nthread p: atomic { $0 = (x == 0); if $0 == 0 goto L; y = 0; L: }\n"
      "thread q: $0 = choose 2; x = 2\nthread r: $0 = (y == 1); y = 1\n",
      3000);
}

TEST(Merging, WakesWhatSleepsAfterOneEdgeOnly) {
  expect_nothing_lost_in_any_order(
      "var x\nvar y\nthread p: atomic { $0 = y; y = $0 }; $1 = x\n"
      "thread q: y = 2; atomic { $0 = y; x = $0 }\nthread r: y = 1; $0 = x\n",
      6000);
}

TEST(Merging, PutsWhatWakesFirst) {
  expect_nothing_lost_in_any_order(
      "var x\nvar y\nvar z\nthread p: atomic { $0 = x; x = $0 }; $1 = (y <= 0)\n"
      "thread q: $0 = (z <= 1); z += 1\nthread r: y += 1; y = 1\n"
      "thread s: $0 = (x <= 1); $1 = (y <= 2)\n",
      3000);
}

// --- steps that can wait

TEST(Merging, KnowsThatAWaitCanDoWithoutAPost) {
  expect_nothing_lost_in_any_order(
      "var x\nsem s\nthread p: x = 1; sem_post s\nthread q: sem_post s\n"
      "thread r: sem_wait s; $0 = x\n");
}

TEST(Merging, KnowsThatAPostMayBeNeeded) {
  expect_nothing_lost_in_any_order(
      "sem s\nvar x\nthread p: sem_post s; x = 1\nthread q: sem_post s; sem_wait s; $0 = x\n"
      "thread r: sem_wait s; x = 2\n");
}

TEST(Merging, LetsAWriterPassReadersThatDoNotUnlock) {
  expect_nothing_lost_in_any_order(
      "rwlock l\nthread p: read_lock l\nthread q: read_lock l\nthread r: write_lock l\n");
}

TEST(Merging, KnowsThatAReaderMayHaveToUnlock) {
  expect_nothing_lost_in_any_order(
      "rwlock l\nvar x\nthread p: read_lock l; $0 = x; read_unlock l\n"
      "thread q: read_lock l; x = 1\nthread r: write_lock l; x = 2; write_unlock l\n");
}

TEST(Merging, KnowsWhichTokenAThreadCouldHaveTaken) {
  expect_nothing_lost_in_any_order(
      "mutex m\ncond c\nthread p: lock m; wait c m; broadcast c\nthread q: lock m; wait c m\n"
      "thread r: signal c\n");
}

TEST(Merging, KnowsThreadsThatWaitAtATimeOut) {
  expect_nothing_lost_in_any_order(
      "mutex m\nsem items\nthread consumer: lock m; $0 = timed_sem_wait items; unlock m\n"
      "thread producer: lock m; sem_post items; unlock m\n");
}

// --- how many runs

std::string philosophers(int n) {
  std::string out;
  for (int k = 0; k < n; ++k) out += "mutex f" + std::to_string(k) + "\n";
  for (int k = 0; k < n; ++k) {
    const std::string left = "f" + std::to_string(k), right = "f" + std::to_string((k + 1) % n);
    out += "thread p" + std::to_string(k) + ": lock " + left + "; lock " + right + "; unlock " +
           right + "; unlock " + left + "\n";
  }
  return out;
}

// Of several explorations, which thread continues being another one in each.
std::uint64_t most_runs_of(const Program& program) {
  ModelRunner runner(program);
  const Set expected = brute_force(program);
  std::uint64_t most = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    ExploreOptions options;
    options.seed = seed;
    const Seen seen = merge(runner, options);
    EXPECT_TRUE(seen.result.complete);
    EXPECT_EQ(seen.final_states, expected);
    const Counts& counts = seen.result.counts;
    most = std::max(most, counts.executions + counts.blocked + counts.merged);
  }
  return most;
}

TEST(Merging, TakesFewRuns) {
  struct Limit {
    const char* family;
    int size;
    std::uint64_t most;
  };
  for (const Limit& l : {Limit{"pi", 7, 330},
                         {"producer-consumer", 6, 260},
                         {"boundedbuffer", 8, 1300},
                         {"lastzero", 6, 300},
                         {"readers", 8, 260}})
    EXPECT_LE(most_runs_of(find_family(l.family)->make(l.size)), l.most) << l.family;
  EXPECT_LE(most_runs_of(parse_program(philosophers(5))), 40U);
}

TEST(Merging, StopsWhereItIsTold) {
  const Program program = find_family("readers")->make(6);
  ModelRunner runner(program);
  ExploreOptions options;
  options.max_executions = 7;
  const Seen seen = merge(runner, options);
  EXPECT_FALSE(seen.result.complete);
  EXPECT_EQ(seen.result.counts.executions, 7U);
}

// Less than half of the states it has, and some that stay open for long.
TEST(Merging, LosesNothingWhenStatesAreForgotten) {
  for (const char* name : {"pi", "producer-consumer", "lastzero"}) {
    const Program program = find_family(name)->make(5);
    ModelRunner runner(program);
    const Seen all = merge(runner);
    for (const std::size_t most : {1U, 10U, 40U}) {
      ExploreOptions options;
      options.most_states = most;
      const Seen seen = merge(runner, options);
      EXPECT_TRUE(seen.result.complete);
      EXPECT_EQ(seen.final_states, all.final_states) << name << " " << most;
      EXPECT_GE(seen.result.counts.events, all.result.counts.events);
    }
  }
}

TEST(Merging, LosesNothingInLittleMemory) {
  for (const char* name : {"pi", "boundedbuffer", "lastzero"}) {
    const Program program = find_family(name)->make(7);
    ModelRunner runner(program);
    const Seen all = merge(runner);
    for (const std::size_t most : {1U, 100U, 300U}) {
      ExploreOptions options;
      options.most_memory_kb = most;
      const Seen seen = merge(runner, options);
      EXPECT_TRUE(seen.result.complete);
      EXPECT_EQ(seen.final_states, all.final_states) << name << " " << most;
      EXPECT_GE(seen.result.counts.states, all.result.counts.states);
    }
  }
}

// Where all states differ, the graph is a tree; and what is open is told on the way.
TEST(Merging, TellsHowFarItIs) {
  ModelRunner runner(find_family("readers")->make(6));
  ExploreOptions options;
  Counts last;
  std::uint64_t most_open = 0;
  options.may_continue = [&](const Ongoing& now) {
    EXPECT_EQ(now.tree, nullptr);
    EXPECT_GE(now.counts->states, last.states);
    EXPECT_EQ(now.counts->edges + 1, now.counts->states);
    EXPECT_GE(now.open, 1U);
    EXPECT_LE(now.open, now.counts->states);
    most_open = std::max(most_open, now.open);
    last = *now.counts;
    return true;
  };
  const Counts counts = merge(runner, options).result.counts;
  EXPECT_EQ(counts.edges + 1, counts.states);
  EXPECT_GT(counts.states, last.states);
  EXPECT_GT(most_open, 3U);
}

// What slept at a forgotten state is run where it wakes: the state is explored anew.
TEST(Merging, RunsABranchAgainThatLedToAForgottenState) {
  Footprints footprints;
  const auto writes = [&](ThreadId thread, Location x) {
    Event event;
    event.move.thread = thread;
    event.footprint = footprints.intern(std::vector<Access>{{x, Mode::write}});
    return event;
  };
  StateGraph graph(footprints, whole_program, nullptr);
  StateNode* root = graph.claim()->node;
  StateNode* left = graph.extend(root, writes(0, 0), {1, 0}).node;
  StateNode* u = graph.extend(root, writes(1, 1), {2, 0}).node;
  StateNode* end = graph.extend(u, writes(2, 2), {3, 0}).node;
  EXPECT_TRUE(graph.nodes().sleeps(u, {0, 0}) && graph.nodes().sleeps(end, {0, 0}));
  graph.resume_at(left);
  graph.resume_at(u);
  graph.keep_within({.nodes = 4});
  EXPECT_FALSE(graph.has({3, 0}));
  EXPECT_TRUE(graph.has({2, 0}));
  EXPECT_FALSE(graph.extend(root, writes(3, 0), {2, 0}).is_new);
  EXPECT_FALSE(graph.nodes().sleeps(u, {0, 0}));
  bool again = false;
  while (const auto job = graph.claim())
    again = again || (job->node == u && job->move == Move{2, 0});
  EXPECT_TRUE(again);
}

// --- cycles

// Thread 0 sets x to 1 and to 0, for ever; thread 1 reads x and ends. A run has at most `limit`
// events, but states do not tell how many there were.
class Endless final : public Runner {
 public:
  static constexpr std::size_t limit = 12;

  std::size_t thread_count() const override { return 2; }
  const Footprints& footprints() const override { return footprints_; }
  std::size_t capacity() const override { return 1; }
  const Log& next() override { return log_; }
  std::optional<Event> with_use(const Event&, const Access&) override { return std::nullopt; }

  void submit(const Request& request) override {
    events_.clear();
    digests_.clear();
    asleep_.assign(request.asleep.begin(), request.asleep.end());
    x_ = 0;
    read_ = 2;
    log_.ticket = request.ticket;
    log_.ending = Ending::died;
    while (events_.size() < limit) {
      const bool follows = events_.size() < request.schedule.size();
      std::vector<Move> moves = {{0, 0}};
      if (read_ == 2) moves.push_back({1, 0});
      std::erase_if(moves, [&](Move m) {
        return std::ranges::find(asleep_, m, &AsleepMove::move) != asleep_.end();
      });
      if (!follows && moves.empty()) log_.ending = Ending::asleep;
      if (!follows && moves.empty()) break;
      step(follows ? request.schedule[events_.size()] : moves.back(), !follows);
      if (events_.size() > request.known.size())
        digests_.push_back({static_cast<std::uint64_t>(x_), static_cast<std::uint64_t>(read_)});
      if (events_.size() < request.schedule.size() || request.until == nullptr) continue;
      if (!request.until->has(digests_.back())) continue;
      log_.ending = Ending::known;
      break;
    }
    log_.events = events_;
    log_.digests = digests_;
    log_.observed = static_cast<std::uint64_t>(read_);
  }

 private:
  void step(Move move, bool wakes) {
    Event event;
    event.move = move;
    event.footprint = move.thread == 0 ? write_ : reads_;
    events_.push_back(event);
    if (move.thread == 0)
      x_ = 1 - x_;
    else
      read_ = x_;
    if (wakes)
      std::erase_if(asleep_, [&](const AsleepMove& m) {
        return m.move.thread == move.thread || footprints_.dependent(m.footprint, event.footprint);
      });
  }

  Footprints footprints_;
  const FootprintId write_ = footprints_.intern(std::vector<Access>{{0, Mode::write}});
  const FootprintId reads_ = footprints_.intern(std::vector<Access>{{0, Mode::read}});
  int x_ = 0, read_ = 2;
  std::vector<Event> events_;
  std::vector<Digest> digests_;
  std::vector<AsleepMove> asleep_;
  Log log_;
};

TEST(Merging, EndsWhereStatesComeAgain) {
  for (std::uint64_t seed = 0; seed <= 50; ++seed) {
    Endless runner;
    Set read;
    ExploreOptions options;
    if (seed != 0) options.order = ExploreOptions::Pick::random;
    options.seed = seed;
    options.max_executions = 1000;
    options.on_run = [&](const Log& log) {
      EXPECT_EQ(log.events.size(), Endless::limit);
      read.insert(log.observed);
      return Decision::proceed;
    };
    EXPECT_TRUE(explore_merging(runner, options).complete);
    EXPECT_TRUE(read.contains(0) && read.contains(1)) << seed;
  }
}

bool reaches(StateNodes& nodes, const StateNode& from, const StateNode& to) {
  if (from.number == to.number) return true;
  for (const Branch& b : nodes.branches(&from))
    if (reaches(nodes, nodes[b.to], to)) return true;
  return false;
}

TEST(Merging, RefusesExactlyTheEdgesThatCloseACycle) {
  constexpr NodeNumber count = 8;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Random random(seed);
    Footprints footprints;
    Configurations configurations(footprints, {});
    EventTable events(configurations);
    StateNodes nodes(events);
    for (NodeNumber k = 0; k < count; ++k) nodes.add();
    std::size_t refused = 0;
    for (int k = 0; k < 24; ++k) {
      StateNode& u = nodes[static_cast<NodeNumber>(random.below(count))];
      StateNode& s = nodes[static_cast<NodeNumber>(random.below(count))];
      const bool closes = reaches(nodes, s, u);
      ASSERT_EQ(nodes.raise_level(&u, &s), !closes);
      refused += closes ? 1 : 0;
      if (closes) continue;
      nodes.lists.push_back(u.branches, {0, s.number});
      nodes.for_each([&](const StateNode& node) {
        for (const Branch& b : nodes.branches(&node)) ASSERT_LT(node.level, nodes[b.to].level);
      });
    }
    EXPECT_GT(refused, 0U);
  }
}

}  // namespace
}  // namespace heddle::interp
