#include "cubes/simulate.hpp"

#include <algorithm>
#include <cmath>
#include <queue>
#include <tuple>

#include "base/check.hpp"
#include "parallel/choose.hpp"
#include "parallel/dispatcher.hpp"
#include "parallel/engine_process.hpp"
#include "parallel/policy.hpp"
#include "parallel/split.hpp"

namespace heddle::cubes {
namespace {

using parallel::Dispatcher;
using parallel::Order;

class Simulation {
 public:
  Simulation(const Subject& subject, const Setting& setting)
      : subject_(subject),
        how_(setting),
        workers_(setting.engines),
        dispatcher_(setting.engines, {whole()}, parallel::Look::any_number) {}

  Simulated run();

 private:
  // At an engine: it tells, it has explored its cube or has too many nodes, it gives its cube up,
  // it has split it. At the dispatcher: what an engine said is heard.
  enum class What : std::uint8_t {
    tells,
    ends,
    overflows,
    gives_up,
    told,
    completed,
    split,
    check
  };

  struct Worker {
    Place place;
    double begin = 0;
    double all = 0;     // runs of the place
    double until = 0;   // runs after which it ends, or has too many nodes
    double told = 0;    // runs that it told last
    unsigned turn = 0;  // what was expected of an earlier one is void
    bool divisible = false;
    bool overflows = false;
    bool busy = false;
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

  parallel::Item whole() const {
    // What one engine has seen of it in the time for which it explores alone.
    const double alone = std::floor(parallel::alone_for / how_.run);
    return {.cube = "", .estimate = subject_.outlook(subject_.whole(), std::max(alone, 1.0))};
  }
  void expect(double time, What what, std::size_t worker) {
    expected_.push({time, what, worker, workers_[worker].turn, order_++});
  }
  // When a message that is sent now has been handled.
  double handled() {
    ++out_.messages;
    free_ = std::max(free_, now_ + how_.link.delay) + how_.link.service;
    return free_;
  }

  void begin_alone();
  void at_engine(const Expected& now);
  void at_dispatcher(const Expected& now);
  void obey(const Order& order);
  void explore(std::size_t worker, double begin);
  void tell(std::size_t worker);
  double done(const Worker& w) const {
    return std::clamp(std::floor((now_ - w.begin) / how_.run + 1e-6), 0.0, w.until);
  }
  void follow_orders();

  const Subject& subject_;
  const Setting how_;
  std::vector<Worker> workers_;
  Dispatcher dispatcher_;
  std::priority_queue<Expected, std::vector<Expected>, std::greater<>> expected_;
  std::uint64_t order_ = 0;
  double now_ = 0, free_ = 0;
  bool checks_ = false;
  Simulated out_;
};

Simulated Simulation::run() {
  begin_alone();
  follow_orders();
  while (!expected_.empty()) {
    const Expected next = expected_.top();
    expected_.pop();
    if (next.turn != workers_[next.worker].turn && next.what != What::check) continue;
    now_ = next.time;
    if (next.what < What::told)
      at_engine(next);
    else
      at_dispatcher(next);
  }
  HEDDLE_CHECK(dispatcher_.left().empty());
  HEDDLE_CHECK(out_.counted == subject_.counted(subject_.whole()));
  return out_;
}

// One engine explores until it is clear that others are worth the while.
void Simulation::begin_alone() {
  if (how_.engines > 1) {
    now_ = parallel::alone_for;
    out_.made += std::floor(parallel::alone_for / how_.run);
  }
  now_ += how_.link.start;
}

void Simulation::follow_orders() {
  dispatcher_.pass(now_);
  for (const Order& order : dispatcher_.orders()) obey(order);
  out_.open = std::max(out_.open, dispatcher_.open());
  if (checks_ || !dispatcher_.is_hungry()) return;
  checks_ = true;
  expect(now_ + how_.link.tell, What::check, 0);
}

void Simulation::obey(const Order& order) {
  Worker& w = workers_[order.engine];
  const double at = handled() + how_.link.delay;
  if (order.what == Order::What::give_up) {
    // It may have ended meanwhile.
    if (w.busy) expect(at, What::gives_up, order.engine);
    return;
  }
  ++w.turn;
  w.busy = true;
  w.place = subject_.place_of(order.item.cube);
  if (order.what == Order::What::explore) {
    explore(order.engine, at);
    return;
  }
  w.begin = at;
  w.until = w.all = parallel::sampled_runs;
  expect(at + parallel::sampled_runs * how_.run, What::gives_up, order.engine);
}

void Simulation::explore(std::size_t worker, double begin) {
  Worker& w = workers_[worker];
  w.begin = begin;
  w.told = 0;
  w.all = w.until = subject_.runs(w.place);
  w.divisible = subject_.halves(w.place).has_value();
  const double memory =
      std::floor(subject_.runs_until(static_cast<double>(parallel::Control().most_nodes)));
  if (w.divisible) w.until = std::min(w.until, std::max(memory, 1.0));
  out_.nodes = std::max(out_.nodes, subject_.nodes(w.until));
  expect(begin + w.until * how_.run, w.until < w.all ? What::overflows : What::ends, worker);
  expect(begin + parallel::enough_to_judge * how_.run, What::tells, worker);
}

void Simulation::at_engine(const Expected& now) {
  Worker& w = workers_[now.worker];
  switch (now.what) {
    case What::tells:
      w.told = done(w);
      expect(handled(), What::told, now.worker);
      expect(now_ + std::max(how_.link.tell, how_.run), What::tells, now.worker);
      return;
    case What::ends:
      ++w.turn;
      w.busy = false;
      out_.made += w.all;
      expect(handled(), What::completed, now.worker);
      return;
    case What::overflows:
    case What::gives_up:
      ++w.turn;
      w.busy = false;
      w.told = done(w);
      w.overflows = now.what == What::overflows;
      out_.made += w.told;
      expect(handled(), What::split, now.worker);
      return;
    default:
      HEDDLE_CHECK(false);
  }
}

void Simulation::tell(std::size_t worker) {
  const Worker& w = workers_[worker];
  if (w.told < 1) return;
  dispatcher_.tell(worker, {static_cast<std::uint64_t>(w.told),
                            static_cast<std::uint64_t>(
                                w.told * (1 - subject_.counted(w.place) / subject_.runs(w.place))),
                            subject_.outlook(w.place, w.told), w.divisible});
}

void Simulation::at_dispatcher(const Expected& now) {
  const std::size_t k = now.worker;
  Worker& w = workers_[k];
  dispatcher_.pass(now_);
  if (now.what == What::check) checks_ = false;
  if (now.what == What::told) tell(k);
  if (now.what == What::completed) {
    ++out_.cubes;
    out_.counted += subject_.counted(w.place);
    out_.seconds = now_;
    dispatcher_.complete(k, static_cast<std::uint64_t>(w.all));
  }
  if (now.what == What::split) {
    if (dispatcher_.is_exploring(k)) tell(k);
    std::optional<parallel::Halves> halves;
    if (const auto both = subject_.halves(w.place))
      halves = {to_text(both->first), to_text(both->second), both->in_vain};
    dispatcher_.split(k, halves,
                      w.overflows ? Dispatcher::Why::too_large : Dispatcher::Why::ordered);
    w.overflows = false;
  }
  follow_orders();
}

}  // namespace

Link local() {
  // Twice 2 µs a cube; processes take 5 ms to start.
  return {.delay = 0, .service = 2e-6, .tell = parallel::tell_every, .start = 0.005};
}

Link broker(unsigned engines) {
  // 200 µs a round trip; 2,600 claims with their finishes a second. A sign of life every 0.3 s, or
  // a thousand in all a second.
  constexpr double round_trip = 200e-6, pairs = 2600;
  const double life = std::max(0.3, 1e-3 * engines);
  const double busy = engines / life / (2 * pairs);
  return {
      .delay = round_trip / 2, .service = 1 / (2 * pairs) / (1 - busy), .tell = life, .start = 0};
}

Simulated simulate(const Subject& subject, const Setting& setting) {
  return Simulation(subject, setting).run();
}

}  // namespace heddle::cubes
