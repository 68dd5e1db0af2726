// A Runner that has many runs in flight, as far as can be seen from outside: each is made when
// it is asked for, by another Runner, and their logs are handed back in random order.
#pragma once

#include <memory>
#include <vector>

#include "base/check.hpp"
#include "base/random.hpp"
#include "model/runner.hpp"

namespace heddle::interp {

class ShuffledRunner final : public Runner {
 public:
  ShuffledRunner(Runner& runner, std::size_t capacity, std::uint64_t seed)
      : runner_(runner), capacity_(capacity), random_(seed) {}

  std::size_t thread_count() const override { return runner_.thread_count(); }
  const Footprints& footprints() const override { return runner_.footprints(); }
  const Stretches& stretches() const override { return runner_.stretches(); }
  const Cube& cube() const override { return runner_.cube(); }
  std::size_t capacity() const override { return capacity_; }

  void submit(const Request& request) override {
    HEDDLE_CHECK(under_way_.size() < capacity_);
    runner_.submit(request);
    under_way_.push_back(std::make_unique<Kept>(runner_.next()));
  }

  std::optional<Event> with_use(const Event& event, const Access& use) override {
    return runner_.with_use(event, use);
  }

  // Destroys the log that was handed out before: the explorer must not use it any more.
  const Log& next() override {
    HEDDLE_CHECK(!under_way_.empty());
    std::swap(under_way_[random_.below(under_way_.size())], under_way_.back());
    given_ = std::move(under_way_.back());
    under_way_.pop_back();
    return given_->log;
  }

 private:
  struct Kept {
    explicit Kept(const Log& from)
        : log(from),
          events(from.events.begin(), from.events.end()),
          digests(from.digests.begin(), from.digests.end()),
          stretches(from.stretches.begin(), from.stretches.end()),
          races(from.races.begin(), from.races.end()),
          pending(from.pending.begin(), from.pending.end()) {
      log.events = events;
      log.digests = digests;
      log.stretches = stretches;
      log.races = races;
      log.pending = pending;
    }

    Log log;
    std::vector<Event> events;
    std::vector<Digest> digests;
    std::vector<StretchId> stretches;
    std::vector<RacingPair> races;
    std::vector<Pending> pending;
  };

  Runner& runner_;
  std::size_t capacity_;
  Random random_;
  std::vector<std::unique_ptr<Kept>> under_way_;
  std::unique_ptr<Kept> given_;
};

}  // namespace heddle::interp
