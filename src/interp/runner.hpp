// Model programs as a Runner, in this process.
#pragma once

#include "base/random.hpp"
#include "interp/machine.hpp"
#include "model/runner.hpp"

namespace heddle::interp {

class ModelRunner final : public Runner {
 public:
  explicit ModelRunner(Program program, const Dependence& dependence = Dependence::standard())
      : machine_(std::move(program), dependence) {}

  std::size_t thread_count() const override { return machine_.thread_count(); }
  const Footprints& footprints() const override { return machine_.footprints(); }
  const Stretches& stretches() const override { return table_; }
  const Cube& cube() const override { return machine_.cube(); }
  std::size_t capacity() const override { return 1; }
  void submit(const Request& request) override;
  const Log& next() override { return log_; }
  std::optional<Event> with_use(const Event& event, const Access& use) override {
    return machine_.with_use(event, use);
  }

  ModelMachine& machine() { return machine_; }

 private:
  void begin(const Request& request);
  void step(const Request& request, Move move);
  bool follow(const Request& request);
  void run_to_end(std::uint64_t seed);
  // The same, with digests.
  Ending run_on(const Request& request);
  bool is_known(const Request& request) const {
    return request.until != nullptr && !digests_.empty() && request.until->has(digests_.back());
  }
  void note_state();
  Move choose(const Request& request, Random& random) const;
  bool time_out();
  void note_who_waits();

  // Where states are compared, most of a schedule is what was run last: then a run begins at the
  // last state that was saved on it.
  static constexpr std::size_t save_every = 4;  // events: to save a state takes as long as these

  ModelMachine machine_;
  std::vector<std::size_t> saved_;  // after how many events
  std::uint64_t resets_ = 0;        // of the machine, when they were saved
  std::vector<Event> events_;
  std::vector<Pending> pending_;
  std::vector<Digest> digests_;
  Stretches table_;
  std::vector<StretchId> stretches_;
  std::vector<AsleepMove> asleep_;
  std::vector<Move> enabled_;
  Log log_;
};

}  // namespace heddle::interp
