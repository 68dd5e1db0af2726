// Workers of a broker, in virtual time: cubes are given out in the order in which they were
// offered, and each worker decides for itself, as cluster/worker_loop.cpp does.
#include <algorithm>
#include <cmath>
#include <deque>
#include <queue>
#include <tuple>

#include "base/check.hpp"
#include "base/random.hpp"
#include "cluster/portions.hpp"
#include "cubes/replay.hpp"
#include "cubes/simulate.hpp"
#include "parallel/control.hpp"
#include "parallel/policy.hpp"
#include "parallel/split.hpp"

namespace heddle::cubes {
namespace {

class Cluster {
 public:
  Cluster(const Subject& subject, const Setting& setting)
      : subject_(subject), how_(setting), replay_(subject), workers_(setting.engines) {}

  Simulated run();

 private:
  enum class What : std::uint8_t { seeks, looks, ends, overflows, splits };
  struct Worker {
    cluster::Portions portions;
    std::string cube;
    double begin = 0, all = 0;      // of what it explores: when, and its runs
    double until = 0;               // runs after which it ends, or has too many nodes
    double hungry_since = 0;        // others
    std::vector<std::string> made;  // parts
    bool divisible = false, hungry = true;
    bool called = false;  // it will seek a cube soon
    unsigned turn = 0;    // what was expected of an earlier one is void
  };
  struct Expected {
    double time;
    What what;
    std::size_t worker;
    unsigned turn;
    std::uint64_t order;

    bool operator>(const Expected& other) const {
      return std::tie(time, order) > std::tie(other.time, other.order);
    }
  };

  void expect(double time, What what, std::size_t worker) {
    expected_.push({time, what, worker, workers_[worker].turn, order_++});
  }
  // When the answer to a request that is made now is there.
  double answered() {
    ++out_.messages;
    free_ = std::max(free_, now_ + how_.link.delay) + how_.link.service;
    return free_ + how_.link.delay;
  }
  std::size_t hungry() const {
    return static_cast<std::size_t>(std::ranges::count(workers_, true, &Worker::hungry));
  }
  double done(const Worker& w) const {
    return std::clamp(std::floor((now_ - w.begin) / how_.run + 1e-6), 0.0, w.until);
  }
  void seek(std::size_t worker);
  void begin(std::size_t worker, double at);
  void split(std::size_t worker, std::size_t parts);
  void give_up(std::size_t worker, std::size_t parts);
  void look(std::size_t worker);
  void finish(std::size_t worker);
  void offer(const std::vector<std::string>& cubes);

  const Subject& subject_;
  const Setting how_;
  Replay replay_;
  std::vector<Worker> workers_;
  std::deque<std::string> offered_;
  std::size_t open_ = 1;  // cubes that are offered, or that a worker has
  std::priority_queue<Expected, std::vector<Expected>, std::greater<>> expected_;
  std::uint64_t order_ = 0;
  double now_ = parallel::alone_for, free_ = 0;
  Random random_{1};
  Simulated out_;
};

Simulated Cluster::run() {
  out_.made = std::floor(parallel::alone_for / how_.run);  // one worker, before there is a job
  offer({""});
  while (!expected_.empty()) {
    const Expected next = expected_.top();
    expected_.pop();
    Worker& w = workers_[next.worker];
    if (next.turn != w.turn) continue;
    now_ = next.time;
    switch (next.what) {
      case What::seeks:
        seek(next.worker);
        break;
      case What::looks:
        look(next.worker);
        break;
      case What::ends:
        w.portions.note_done(subject_.splits(subject_.place_of(w.cube)), w.all);
        out_.made += w.all;
        out_.counted += subject_.counted(subject_.place_of(w.cube));
        ++out_.cubes;
        finish(next.worker);
        break;
      case What::overflows:
        w.portions.note_too_large(subject_.splits(subject_.place_of(w.cube)), w.until);
        give_up(next.worker, parallel::parts_for_memory(
                                 w.until, subject_.outlook(subject_.place_of(w.cube), w.until)));
        break;
      case What::splits:
        finish(next.worker);
        break;
    }
  }
  HEDDLE_CHECK(open_ == 0);
  HEDDLE_CHECK(out_.counted == subject_.counted(subject_.whole()));
  return out_;
}

// Those that wait are told at once.
void Cluster::offer(const std::vector<std::string>& cubes) {
  for (const std::string& cube : cubes) offered_.push_back(cube);
  out_.open = std::max(out_.open, offered_.size());
  auto left =
      offered_.size() -
      std::min<std::size_t>(offered_.size(), std::ranges::count(workers_, true, &Worker::called));
  for (std::size_t k = 0; k < workers_.size() && left != 0; ++k)
    if (workers_[k].hungry && !std::exchange(workers_[k].called, true)) {
      expect(answered(), What::seeks, k);
      --left;
    }
}

void Cluster::seek(std::size_t worker) {
  Worker& w = workers_[worker];
  w.hungry = offered_.empty();
  w.called = false;
  if (w.hungry) return;
  w.cube = std::move(offered_.front());
  offered_.pop_front();
  const Place place = subject_.place_of(w.cube);
  std::size_t parts = w.portions.parts(subject_.splits(place), workers_.size(), 0);
  if (w.cube.empty()) parts = std::max<std::size_t>(parts, 2);
  w.divisible = subject_.halves(place).has_value();
  if (parts >= 2 && w.divisible)
    split(worker, parts);
  else
    begin(worker, now_);
}

void Cluster::begin(std::size_t worker, double at) {
  Worker& w = workers_[worker];
  w.begin = w.hungry_since = at;
  w.all = w.until = subject_.runs(subject_.place_of(w.cube));
  const double memory =
      std::floor(subject_.runs_until(static_cast<double>(parallel::Control().most_nodes)));
  if (w.divisible) w.until = std::min(w.until, std::max(memory, 1.0));
  out_.nodes = std::max(out_.nodes, subject_.nodes(w.until));
  expect(at + w.until * how_.run, w.until < w.all ? What::overflows : What::ends, worker);
  expect(at + how_.link.tell, What::looks, worker);
}

void Cluster::split(std::size_t worker, std::size_t parts) {
  Worker& w = workers_[worker];
  const double before = replay_.made();
  w.made.clear();
  constexpr std::size_t most_parts = 256;
  for (const parallel::Item& part :
       parallel::split_into(replay_, {.cube = w.cube, .estimate = 1}, std::min(parts, most_parts),
                            [] { return false; }))
    w.made.push_back(part.cube);
  const double made = replay_.made() - before;
  out_.made += made;
  expect(now_ + made * how_.run, What::splits, worker);
}

void Cluster::give_up(std::size_t worker, std::size_t parts) {
  Worker& w = workers_[worker];
  ++w.turn;
  out_.made += done(w);
  split(worker, parts);
}

void Cluster::look(std::size_t worker) {
  Worker& w = workers_[worker];
  const std::size_t others = hungry();
  expect(now_ + how_.link.tell, What::looks, worker);  // which the time of messages accounts for
  if (others == 0) w.hungry_since = now_;
  if (!w.divisible) return;
  const Place place = subject_.place_of(w.cube);
  const parallel::Busy busy{done(w), subject_.outlook(place, std::max(done(w), 1.0)),
                            now_ - w.begin};
  if (w.portions.shares(busy, subject_.splits(place), {open_, others, now_ - w.hungry_since},
                        random_))
    give_up(worker, cluster::Portions::parts_for_others);
}

void Cluster::finish(std::size_t worker) {
  Worker& w = workers_[worker];
  ++w.turn;
  const double at = answered();
  out_.seconds = at;
  open_ += w.made.size();
  --open_;
  w.called = true;
  expect(at, What::seeks, worker);
  offer(std::exchange(w.made, {}));
}

}  // namespace

Simulated simulate_cluster(const Subject& subject, const Setting& setting) {
  return Cluster(subject, setting).run();
}

}  // namespace heddle::cubes
