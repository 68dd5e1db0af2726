#include "cluster/worker_loop.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "base/check.hpp"
#include "base/hash.hpp"
#include "core/algorithm.hpp"
#include "parallel/policy.hpp"
#include "parallel/split.hpp"

namespace heddle::cluster {
namespace {

using parallel::Engine;
using parallel::Json;
using parallel::Look;
using End = Engine::End;

// Of one split: what it takes to make them is lost if this worker dies, and their texts have to fit
// into a record.
constexpr std::size_t most_parts = 256;

}  // namespace

// Keeps the claim, and decides whether to give the cube up.
class WorkerLoop::WorkerLook final : public Look {
 public:
  WorkerLook(WorkerLoop& loop, const std::string& cube, bool divisible)
      : loop_(loop), splits_(parallel::splits_of(cube)), divisible_(divisible) {}

  Asked look(const Live& live) override {
    counts_ = live.counts;
    if (is_over()) return Asked::stop;
    if (!divisible_ || !live.divisible) return Asked::proceed;
    const auto runs = static_cast<double>(parallel::runs_of(live.counts));
    if (live.nodes > parallel::Control().most_nodes) {
      is_too_large_ = true;
      parts_ = parallel::parts_for_memory(runs, live.outlook());
      return Asked::give_up;
    }
    return shares(live) ? Asked::give_up : Asked::proceed;
  }
  std::uint64_t more_runs() override { return any_number; }
  bool is_over() override {
    const broker::View& view = loop_.worker_.look(heartbeat());
    return loop_.leaves_ != 0 || !view.is_wanted || view.state != broker::State::running;
  }

  std::size_t parts() const { return std::min(parts_, most_parts); }
  const Counts& counts() const { return counts_; }
  bool is_too_large() const { return is_too_large_; }

 private:
  std::string heartbeat() const {
    const auto runs = static_cast<double>(parallel::runs_of(counts_));
    return Json{
        {"runs", runs}, {"rate", runs / std::max(since_.seconds(), 1e-3)}, {"outlook", outlook_}}
        .dump();
  }

  // Whether to share this cube with workers that have nothing to do.
  bool shares(const Live& live) {
    const double now = since_.seconds();
    if (now < looked_at_ + every_) return false;
    looked_at_ = now;
    outlook_ = live.outlook();
    const broker::View& view = loop_.worker_.view();
    if (view.hungry == 0) hungry_since_ = now;
    parts_ = Portions::parts_for_others;
    return loop_.portions_.shares(
        {static_cast<double>(parallel::runs_of(live.counts)), outlook_, now}, splits_,
        {view.open, view.hungry, now - hungry_since_}, loop_.random_);
  }

  WorkerLoop& loop_;
  const std::size_t splits_;
  const bool divisible_;
  const double every_ = std::chrono::duration<double>(settings_of(loop_.terms_).heartbeat).count();
  Stopwatch since_;
  double looked_at_ = 0, hungry_since_ = 0, outlook_ = 0;
  Counts counts_;
  std::size_t parts_ = 2;
  bool is_too_large_ = false;
};

WorkerLoop::WorkerLoop(broker::Client& client, const std::string& job, const Terms& terms,
                       const parallel::MakeEngine& make, const volatile std::sig_atomic_t& leaves)
    : client_(client),
      job_(job),
      terms_(terms),
      make_(make),
      leaves_(leaves),
      worker_(client, job, settings_of(terms)),
      portions_(find_algorithm(terms.algorithm)->by_state ? parallel::states_in_common : 0),
      random_(hash_of(std::span<const char>(worker_.name()))) {}

broker::State WorkerLoop::run() {
  while (const auto claim = worker_.claim())
    if (has_knowledge_of(*claim))
      explore(*claim);
    else
      worker_.leave();
  worker_.leave();
  return worker_.view().state;
}

bool WorkerLoop::has_knowledge_of(const broker::Claim& claim) {
  if (engine_ != nullptr && claim.generation == generation_) return true;
  const broker::JobInfo job = broker::read_job(client_, job_);
  if (job.generation != claim.generation) return false;
  try {
    engine_ = make_();
    engine_->learn(Json::parse(job.knowledge));
  } catch (const Json::exception&) {
    throw broker::Malformed("what is known in the job is not knowledge");
  }
  generation_ = claim.generation;
  return true;
}

void WorkerLoop::explore(const broker::Claim& claim) {
  const CubeList cubes = cubes_of(claim.cube);
  try {
    std::size_t at = 0, parts = parts_unseen(claim, cubes);
    if ((parts < 2 && explore_all(cubes, true, at, parts)) || split(claim, cubes, at, parts))
      return;
    explore_all(cubes, false, at, parts);
  } catch (const Learned&) {
    renew();
  } catch (const Interrupted&) {
    worker_.leave();
  } catch (const Misuse& misuse) {  // the program does what is not supported
    finish(broker::Failed{misuse.what()});
  }
}

std::size_t WorkerLoop::parts_unseen(const broker::Claim& claim, const CubeList& cubes) const {
  if (cubes.size() > 1) return 1;
  const std::size_t parts =
      portions_.parts(parallel::splits_of(cubes[0]), worker_.view().workers, terms_.parts);
  // The root is too large for one worker, whatever it is: exploring it alone took too long.
  return claim.parent.empty() ? std::max<std::size_t>(parts, 2) : parts;
}

bool WorkerLoop::explore_all(const CubeList& cubes, bool divisible, std::size_t& at,
                             std::size_t& parts) {
  engine_->forget();
  for (at = 0; at < cubes.size(); ++at) {
    WorkerLook look(*this, cubes[at], divisible);
    const std::size_t splits = parallel::splits_of(cubes[at]);
    switch (engine_->explore({.cube = cubes[at]}, look).end) {
      case End::complete: {
        const std::uint64_t before = parallel::runs_of(engine_->total());
        engine_->keep();
        portions_.note_done(splits,
                            static_cast<double>(parallel::runs_of(engine_->total()) - before));
        break;
      }
      case End::given_up:
        if (look.is_too_large())
          portions_.note_too_large(splits, static_cast<double>(parallel::runs_of(look.counts())));
        thrown_away_ += parallel::runs_of(look.counts()) + parallel::runs_of(engine_->total());
        parts = look.parts();
        return false;
      case End::found:
        report(cubes[at]);
        return true;
      case End::learned:
        throw Learned();
      case End::stopped:
        worker_.leave();
        return true;
    }
  }
  finish_done();
  return true;
}

// False: there is no pair of steps to split it by.
bool WorkerLoop::split(const broker::Claim& claim, const CubeList& cubes, std::size_t at,
                       std::size_t parts) {
  WorkerLook look(*this, cubes[at], false);
  std::vector<parallel::Item> split = parallel::split_into(
      *engine_, {.cube = cubes[at], .estimate = 1}, parts, [&] { return look.is_over(); });
  if (look.is_over()) throw Interrupted();
  std::ranges::stable_sort(split, std::greater(), &parallel::Item::estimate);
  broker::Split out;
  for (const parallel::Item& part : split) out.cubes.push_back(to_text(CubeList{part.cube}));
  CubeList others = cubes;
  others.erase(others.begin() + static_cast<std::ptrdiff_t>(at));
  if (!others.empty()) out.cubes.push_back(to_text(others));
  if (out.cubes.size() == 1 && out.cubes[0] == claim.cube) return false;
  std::size_t size = 0;
  for (const std::string& cube : out.cubes) size += cube.size();
  if (size > broker::most_record && parts > 2) return this->split(claim, cubes, at, parts / 2);
  finish(out);
  return true;
}

void WorkerLoop::finish(const broker::Outcome& outcome) {
  try {
    broker::check_outcome(outcome);
  } catch (const broker::Error& error) {  // it is too large
    worker_.finish(broker::Failed{error.what()});
    return;
  }
  worker_.finish(outcome);
}

void WorkerLoop::finish_done() { finish(done_of(engine_->sum(), std::exchange(thrown_away_, 0))); }

// If others were faster, they have learned something too, and this may be learned again.
void WorkerLoop::renew() {
  worker_.renew(generation_, engine_->knowledge().dump());
  engine_ = nullptr;
}

// The job ends, even if it is one that is to continue after findings: the exploration of this cube
// has ended before its end.
void WorkerLoop::report(const std::string& cube) {
  const Found found{cube, engine_->yield()};
  const std::string text = to_text(found);
  const WideHash key = wide_hash_of(std::span<const char>(text));
  worker_.report(fmt::format("{:016x}{:016x}", key.first, key.second), text);
  broker::Job(client_, job_).stop();
  worker_.leave();
}

}  // namespace heddle::cluster
