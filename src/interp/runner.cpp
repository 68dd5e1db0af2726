#include "interp/runner.hpp"

#include <algorithm>

#include "core/sleeper.hpp"

namespace heddle::interp {

void ModelRunner::submit(const Request& request) {
  log_.ticket = request.ticket;
  begin(request);
  log_.beginning = table_.intern(machine_.beginning());
  if (!follow(request)) {
    log_.ending = Ending::diverged;
  } else if (request.then == Request::Then::stop) {
    log_.ending = Ending::stopped;
  } else {
    log_.ending = request.digests ? run_on(request) : (run_to_end(request.seed), machine_.ending());
    if (log_.ending != Ending::complete && log_.ending != Ending::known) note_who_waits();
    log_.final_state = machine_.final_state();
    log_.observed = machine_.observed();
  }
  log_.events = events_;
  log_.digests = digests_;
  log_.stretches = stretches_;
  log_.pending = pending_;
  log_.outcome = machine_.outcome();
  log_.races = machine_.races();
}

void ModelRunner::begin(const Request& request) {
  digests_.clear();
  stretches_.clear();
  std::size_t same = 0;
  const bool continues = request.digests && resets_ == machine_.resets();
  const std::size_t most = continues ? std::min(events_.size(), request.known.size()) : 0;
  while (same < most && events_[same].move == request.schedule[same]) ++same;
  while (!saved_.empty() && saved_.back() > same) {
    if (continues) machine_.drop();
    saved_.pop_back();
  }
  if (saved_.empty())
    machine_.reset();
  else
    machine_.restore();
  resets_ = machine_.resets();
  events_.resize(saved_.empty() ? 0 : saved_.back());
  std::erase_if(pending_, [&](const Pending& p) { return p.at >= events_.size(); });
}

void ModelRunner::step(const Request& request, Move move) {
  if (machine_.times_out(move)) note_who_waits();
  events_.push_back(machine_.step(move));
  if (!request.digests) return;
  if (events_.size() > request.known.size()) note_state();
  if (events_.size() % save_every != 0) return;
  machine_.save();
  saved_.push_back(events_.size());
}

bool ModelRunner::follow(const Request& request) {
  for (std::size_t k = events_.size(); k < request.schedule.size(); ++k) {
    const Move move = request.schedule[k];
    if (!machine_.times_out(move) &&
        (move.thread >= machine_.thread_count() || !machine_.is_enabled(move.thread) ||
         move.alternative >= machine_.alternatives(move.thread))) {
      log_.diverged_at = k;
      log_.why_diverged = machine_.why_not(move);
      return false;
    }
    step(request, move);
  }
  return true;
}

Ending ModelRunner::run_on(const Request& request) {
  Random random(request.seed);
  asleep_.assign(request.asleep.begin(), request.asleep.end());
  while (!is_known(request)) {
    machine_.enabled(enabled_);
    if (enabled_.empty()) return machine_.ending();
    for (const AsleepMove& m : asleep_) std::erase(enabled_, m.move);
    if (enabled_.empty()) return Ending::asleep;
    step(request, choose(request, random));
    std::erase_if(asleep_,
                  [&](const AsleepMove& m) { return !sleeps_on(footprints(), m, events_.back()); });
  }
  return Ending::known;
}

// One of those that are enabled.
Move ModelRunner::choose(const Request& request, Random& random) const {
  if (request.seed == 0) return enabled_.front();
  if (request.weights.empty()) return random.pick(enabled_);
  std::uint64_t total = 0;
  for (const Move m : enabled_) total += request.weights[m.thread];
  std::uint64_t at = random.below(total);
  for (const Move m : enabled_) {
    if (at < request.weights[m.thread]) return m;
    at -= request.weights[m.thread];
  }
  return enabled_.back();
}

void ModelRunner::note_state() {
  digests_.push_back(machine_.digest());
  if (machine_.has_plain()) stretches_.push_back(table_.intern(machine_.stretch()));
}

void ModelRunner::run_to_end(std::uint64_t seed) {
  Random random(seed);
  do {
    if (seed == 0) {
      for (ThreadId t = machine_.first_enabled(); t < machine_.thread_count();
           t = machine_.first_enabled())
        events_.push_back(machine_.step({t, 0}));
    } else {
      while (!machine_.stuck()) {
        machine_.enabled(enabled_);
        events_.push_back(machine_.step(random.pick(enabled_)));
      }
    }
  } while (time_out());
}

// When no thread can continue, lets one time out. False if none can.
bool ModelRunner::time_out() {
  if (!machine_.has_time_outs()) return false;
  const ThreadId t = machine_.next_time_out();
  if (t == machine_.thread_count()) return false;
  note_who_waits();
  events_.push_back(machine_.step({t, ModelMachine::timing_out}));
  return true;
}

void ModelRunner::note_who_waits() {
  const auto waiting = machine_.pending();
  pending_.insert(pending_.end(), waiting.begin(), waiting.end());
}

}  // namespace heddle::interp
