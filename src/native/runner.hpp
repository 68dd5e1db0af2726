// Compiled programs as a Runner: a Session with a worker, and the Decoder of its replies.
//
// Promises beyond those of Runner:
// - `submit` and `next` throw Unsupported if the program does what cannot be explored, and
//   Nondeterminism if a schedule that is run twice does not do the same.
// - When it goes, nothing is in flight any more.
#pragma once

#include <optional>
#include <span>

#include "model/runner.hpp"
#include "native/decoder.hpp"
#include "native/notes.hpp"
#include "native/session.hpp"

namespace heddle::native {

// Thrown if the program does what cannot be explored.
struct Unsupported {
  Outcome outcome;
};

class NativeRunner final : public Runner {
 public:
  // The worker's settings are in place; `races` is what they say. Every `repeat_every`-th schedule
  // is run twice.
  NativeRunner(Transport& worker, SharedNames& names, Knowledge& knowledge, abi::Races races,
               std::uint64_t repeat_every);
  ~NativeRunner() override;

  std::size_t thread_count() const override { return decoder_.thread_count(); }
  const Footprints& footprints() const override { return decoder_.footprints(); }
  std::size_t capacity() const override { return session_.capacity(); }

  void submit(const Request& request) override;
  const Log& next() override;
  std::optional<Event> with_use(const Event& event, const Access& use) override {
    return decoder_.with_use(event, use);
  }

  // Runs a schedule and stops after it, like a Request that says so, and lists the moves with which
  // it could continue. What is known is as in a Request.
  const Log& look(std::span<const Move> schedule, std::span<const Event> known);
  std::span<const Move> choices() const { return run_.choices; }
  // Those of them that may have more alternatives than the first: see Varies::choices.
  std::span<const ThreadId> choosers() const { return run_.choosers; }
  // The place of a step of a log: the address of an abi::Site, or 0.
  std::uint64_t site_of(const Event& event) const { return decoder_.site_of(event.site); }

  // To be called when no more logs are asked for: what is being run twice may still differ.
  void finish() { session_.finish(); }

  // Of all logs.
  const Notes& notes() const { return notes_; }

  // Runs a schedule by itself: with all that there is to tell about it, or as runs are made by the
  // thousand. These throw Unsupported; and Learned, but only if semaphores have values that count,
  // or if the run dies.
  Explanation explain(std::span<const Move> schedule);
  Explanation run_alone(std::span<const Move> schedule);

  // Whether two runs of a schedule do the same.
  bool repeats(std::span<const Move> schedule);

 private:
  const Log& decode(const Session::Answer& answer);
  void shorten(std::size_t events);
  Explanation run_alone(std::span<const Move> schedule, abi::Then then);

  Transport& worker_;
  Decoder decoder_;
  Session session_;
  DecodedRun run_;
  Notes notes_;
};

}  // namespace heddle::native
