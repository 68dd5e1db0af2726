#include "cubes/simulate.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <queue>
#include <tuple>

#include "base/check.hpp"
#include "cubes/replay.hpp"
#include "parallel/control.hpp"
#include "parallel/engine_process.hpp"
#include "parallel/policy.hpp"
#include "parallel/split.hpp"

namespace heddle::cubes {
namespace {

using parallel::Item;

class Simulation {
 public:
  Simulation(const Subject& subject, const Setting& setting)
      : subject_(subject), how_(setting), workers_(setting.engines) {}

  Simulated run();

 private:
  enum class State : std::uint8_t { idle, exploring, splitting, ended };
  enum class What : std::uint8_t { ended, heard, check };

  struct Worker {
    State state = State::idle;
    double estimate = 0;  // of the cube that it was given
    Place place;
    bool whole = false;  // what it splits is the whole program
    double begin = 0;
    double all = 0;     // runs of the place
    double until = 0;   // runs after which it ends, or has too many nodes
    unsigned turn = 0;  // what was expected of an earlier one is void
    bool divisible = false;
    // What it brings.
    std::vector<Item> parts;
    double counted = 0, cubes = 0;
  };
  struct Expected {
    double time;
    What what;
    std::size_t worker;
    unsigned turn;
    std::uint64_t order;  // of those of one time, the first expected comes first

    bool operator>(const Expected& other) const {
      return std::tie(time, order) > std::tie(other.time, other.order);
    }
  };

  void expect(double time, What what, std::size_t worker) {
    expected_.push({time, what, worker, workers_[worker].turn, order_++});
  }
  // When a message that is sent now has been handled.
  double handled() {
    ++out_.messages;
    free_ = std::max(free_, now_ + how_.link.delay) + how_.link.service;
    return free_;
  }
  void offer(Item item) {
    open_.emplace(item.estimate, std::move(item));
    out_.open = std::max(out_.open, open_.size());
  }

  void begin_alone();
  void hand_out();
  void give(std::size_t to, const Item& item);
  void explore(Worker& worker);
  void split(Worker& worker, parallel::Wanted wanted, double thrown_away);
  void end(std::size_t from);
  void take(std::size_t from);
  void check();
  Worker* largest();
  Worker* next_to_tell();
  parallel::Busy busy(const Worker& worker) const;
  bool is_worth(const Worker& worker, std::size_t hungry) const;
  double check_every() const {
    return how_.link.knows_all ? how_.link.tell : how_.link.tell / how_.engines;
  }

  const Subject& subject_;
  const Setting how_;
  std::vector<Worker> workers_;
  std::multimap<double, Item> open_;  // by estimate
  std::priority_queue<Expected, std::vector<Expected>, std::greater<>> expected_;
  std::uint64_t order_ = 0;
  double now_ = 0, free_ = 0, hungry_since_ = 0;
  double all_ = 0;  // runs that there seemed to be at the beginning
  bool checks_ = false;
  std::size_t told_last_ = 0;
  Simulated out_;
};

Simulated Simulation::run() {
  begin_alone();
  hand_out();
  while (!expected_.empty()) {
    const Expected next = expected_.top();
    expected_.pop();
    if (next.turn != workers_[next.worker].turn && next.what != What::check) continue;
    now_ = next.time;
    if (next.what == What::ended) end(next.worker);
    if (next.what == What::heard) take(next.worker);
    if (next.what == What::check) check();
  }
  HEDDLE_CHECK(open_.empty());
  HEDDLE_CHECK(out_.counted == subject_.counted(subject_.whole()));
  return out_;
}

// One engine explores until it is clear that others are worth the while.
void Simulation::begin_alone() {
  if (how_.engines > 1 && how_.link.knows_all) {
    now_ = parallel::alone_for;
    out_.made += std::floor(parallel::alone_for / how_.run);
  }
  now_ += how_.link.start;
  const double alone = std::floor(parallel::alone_for / how_.run);
  all_ = subject_.outlook(subject_.whole(), std::max(alone, 1.0));
  offer({.cube = "", .estimate = all_});
}

void Simulation::hand_out() {
  std::size_t idle = 0;
  for (std::size_t k = 0; k < workers_.size(); ++k) {
    if (workers_[k].state != State::idle) continue;
    if (open_.empty()) {
      ++idle;
      continue;
    }
    const auto largest = std::prev(open_.end());
    const Item item = std::move(largest->second);
    open_.erase(largest);
    give(k, item);
  }
  if (idle == 0) hungry_since_ = now_;
  if (idle == 0 || idle == workers_.size() || checks_) return;
  checks_ = true;
  expect(now_ + check_every(), What::check, 0);
}

void Simulation::give(std::size_t to, const Item& item) {
  Worker& w = workers_[to];
  w.whole = item.cube.empty();
  w.estimate = item.estimate;
  w.place = subject_.place_of(item.cube);
  w.begin = handled() + how_.link.delay;
  w.parts.clear();
  w.counted = w.cubes = 0;
  const parallel::Wanted parts = parallel::parts_of(item, all_, workers_.size());
  if (parts.parts == 0 || workers_.size() == 1)
    explore(w);
  else
    split(w, parts, 0);
}

void Simulation::explore(Worker& w) {
  w.state = State::exploring;
  w.all = w.until = subject_.runs(w.place);
  w.divisible = subject_.halves(w.place).has_value();
  const double memory =
      std::floor(subject_.runs_until(static_cast<double>(parallel::Control().most_nodes)));
  if (w.divisible) w.until = std::min(w.until, std::max(memory, 1.0));
  out_.nodes = std::max(out_.nodes, subject_.nodes(w.until));
  expect(w.begin + w.until * how_.run, What::ended, static_cast<std::size_t>(&w - workers_.data()));
}

// From w.begin on, or after what is thrown away.
void Simulation::split(Worker& w, parallel::Wanted wanted, double thrown_away) {
  w.state = State::splitting;
  ++w.turn;
  Replay engine(subject_);
  const Item cube{
      .cube = w.whole ? "" : to_text(w.place),
      .estimate = thrown_away == 0 ? w.estimate : subject_.outlook(w.place, thrown_away)};
  w.parts = parallel::split_into(engine, cube, wanted, [] { return false; });
  out_.made += thrown_away + engine.made();
  expect(w.begin + (thrown_away + engine.made()) * how_.run, What::ended,
         static_cast<std::size_t>(&w - workers_.data()));
}

// It has done what it was given, or has too many nodes.
void Simulation::end(std::size_t from) {
  Worker& w = workers_[from];
  if (w.state == State::exploring && w.until < w.all) {
    const std::size_t parts =
        parallel::parts_for_memory(w.until, subject_.outlook(w.place, w.until));
    split(w, {parts, parts}, w.until);
    return;
  }
  if (w.state == State::exploring) {
    out_.made += w.all;
    w.counted = subject_.counted(w.place);
    w.cubes = 1;
  }
  w.state = State::ended;
  expect(handled(), What::heard, from);
}

void Simulation::take(std::size_t from) {
  Worker& w = workers_[from];
  w.state = State::idle;
  ++w.turn;
  out_.counted += w.counted;
  out_.cubes += w.cubes;
  out_.seconds = now_;
  for (Item& part : w.parts) {
    part.divisible = w.parts.size() > 1;
    if (part.cube.empty()) part.cube = to_text(subject_.whole());  // it is not to be split again
    offer(std::move(part));
  }
  w.parts.clear();
  hand_out();
}

// As it was told last.
parallel::Busy Simulation::busy(const Worker& w) const {
  const double tell = how_.link.tell;
  const double since = std::max(now_ - w.begin, 0.0);
  const double done = std::min(std::floor(std::floor(since / tell) * tell / how_.run), w.until);
  return {done, done < 1 ? 0 : subject_.outlook(w.place, done), since};
}

bool Simulation::is_worth(const Worker& w, std::size_t hungry) const {
  return w.state == State::exploring && w.divisible &&
         parallel::is_worth_splitting(busy(w), hungry, now_ - hungry_since_);
}

Simulation::Worker* Simulation::largest() {
  Worker* out = nullptr;
  double most = 0;
  for (Worker& w : workers_) {
    if (w.state != State::exploring || !w.divisible) continue;
    const parallel::Busy now = busy(w);
    if (out != nullptr && now.outlook - now.done <= most) continue;
    out = &w;
    most = now.outlook - now.done;
  }
  return out;
}

Simulation::Worker* Simulation::next_to_tell() {
  told_last_ = (told_last_ + 1) % workers_.size();
  return &workers_[told_last_];
}

// As Pool::split_for_hungry.
void Simulation::check() {
  checks_ = false;
  std::size_t hungry = 0, splitting = 0;
  for (const Worker& w : workers_) {
    hungry += w.state == State::idle ? 1 : 0;
    splitting += w.state == State::splitting || w.state == State::ended ? 1 : 0;
  }
  if (hungry == workers_.size() || hungry == 0) return;
  checks_ = true;
  expect(now_ + check_every(), What::check, 0);
  if (!open_.empty() || splitting != 0) {
    hungry_since_ = now_;
    return;
  }
  Worker* const chosen = how_.link.knows_all ? largest() : next_to_tell();
  if (chosen == nullptr || !is_worth(*chosen, hungry)) return;
  const double done = std::clamp(std::floor((now_ - chosen->begin) / how_.run), 0.0, chosen->until);
  split(*chosen, parallel::parts_for_hungry(hungry), done);
}

}  // namespace

Link local() {
  // Twice 2 µs a cube; processes take 5 ms to start.
  return {
      .delay = 0, .service = 2e-6, .tell = parallel::tell_every, .knows_all = true, .start = 0.005};
}

Link broker(unsigned engines) {
  // 200 µs a round trip; 2,600 claims with their finishes a second. A sign of life every 3 s.
  constexpr double round_trip = 200e-6, pairs = 2600, life = 3;
  const double busy = engines / life / (2 * pairs);
  return {.delay = round_trip / 2,
          .service = 1 / (2 * pairs) / (1 - busy),
          .tell = life,
          .knows_all = false,
          .start = 0};
}

Simulated simulate(const Subject& subject, const Setting& setting) {
  return Simulation(subject, setting).run();
}

}  // namespace heddle::cubes
