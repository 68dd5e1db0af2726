#include "interp/runner.hpp"

namespace heddle::interp {

void ModelRunner::submit(const Request& request) {
  log_.ticket = request.ticket;
  events_.clear();
  machine_.reset();
  if (!follow(request.schedule)) {
    log_.ending = Ending::misfit;
    log_.pending = {};
  } else if (request.then == Request::Then::stop) {
    log_.ending = Ending::stopped;
    log_.pending = {};
  } else {
    go_on(request.seed);
    log_.ending = machine_.ending();
    log_.pending =
        log_.ending == Ending::complete ? std::span<const Pending>() : machine_.pending();
    log_.final_state = machine_.final_state();
    log_.observed = machine_.observed();
  }
  log_.events = events_;
  log_.finding = machine_.finding();
}

bool ModelRunner::follow(std::span<const Move> schedule) {
  for (std::size_t k = 0; k < schedule.size(); ++k) {
    const Move move = schedule[k];
    if (move.thread >= machine_.thread_count() || !machine_.is_enabled(move.thread) ||
        move.alternative >= machine_.alternatives(move.thread)) {
      log_.misfit_at = k;
      log_.misfit = machine_.why_not(move);
      return false;
    }
    events_.push_back(machine_.step(move));
  }
  return true;
}

void ModelRunner::go_on(std::uint64_t seed) {
  if (seed == 0) {
    for (ThreadId t = machine_.first_enabled(); t < machine_.thread_count();
         t = machine_.first_enabled())
      events_.push_back(machine_.step({t, 0}));
    return;
  }
  Random random(seed);
  for (machine_.enabled(enabled_); !enabled_.empty(); machine_.enabled(enabled_))
    events_.push_back(machine_.step(random.pick(enabled_)));
}

}  // namespace heddle::interp
