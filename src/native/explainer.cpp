#include "native/explainer.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "base/check.hpp"
#include "native/describe.hpp"
#include "native/minimise.hpp"

namespace heddle::native {
namespace {

// The number of other schedules that are tried, at most, for one that kills the process. Each costs
// the start of several processes, as a death has to be repeated before it counts (deaths.cpp).
constexpr std::size_t most_deaths = 40;

// Without running it again.
Finding barely(const Seen& seen) {
  Finding f;
  f.kind = seen.outcome.finding;
  f.message = seen.outcome.text;
  f.thread = seen.outcome.thread;
  f.schedule = seen.schedule;
  f.runs = seen.runs;
  return f;
}

}  // namespace

// A schedule of the same finding that is easier to follow. At which step a run is cut off for its
// length does not matter.
Schedule Explainer::simplest(const Seen& seen) {
  const bool dies = seen.outcome.finding == abi::Finding::died;
  const bool endless = seen.outcome.finding == abi::Finding::endless;
  bool gone = false;  // noticing that a worker hangs takes long: once is enough
  const auto attempt = [&](const Schedule& schedule) -> std::optional<Schedule> {
    if (gone || watch_.is_over()) return std::nullopt;
    try {
      const Explanation run = runner_.run_alone(schedule);
      gone = run.outcome.finding == abi::Finding::died && (!dies || worker_.fate().took_too_long);
      if (endless ? run.outcome.finding != abi::Finding::endless : !same(run.outcome, seen.outcome))
        return std::nullopt;
      return run.moves();
    } catch (const Learned&) {
      gone = true;
    } catch (const Interrupted&) {
      gone = true;
    } catch (const Unsupported&) {
    }
    return std::nullopt;
  };
  MinimiseLimits limits;
  if (dies) limits.runs = most_deaths;
  return minimised(seen.schedule, attempt, limits);
}

// Runs it again, this time with stacks and places, and with threads numbered as in a replay.
Explanation Explainer::explained_run(const Seen& seen) {
  if (seen.outcome.text == does_not_come_back) return runner_.explain(seen.schedule);
  const Schedule schedule = simplest(seen);
  const Schedule fresh = renumbered(runner_.run_alone(schedule));
  worker_.number_afresh(true);
  try {
    Explanation e = runner_.explain(fresh);
    worker_.number_afresh(false);
    return e;
  } catch (...) {
    worker_.number_afresh(false);
    throw;
  }
}

Finding Explainer::explain(const Seen& seen) {
  if (!options_.explain) return barely(seen);
  Explanation e;
  bool repeats = false, tried = true;
  try {
    e = explained_run(seen);
    repeats = e.outcome.finding == seen.outcome.finding;
  } catch (const Interrupted&) {
    tried = false;
  }
  worker_.set_stop({});  // the rest takes a moment
  if (!repeats) e.outcome = seen.outcome;
  Finding f = worker_.with_process([&](pid_t process) { return describe(e, Symbols(process)); });
  if (!repeats) {
    f.message += tried ? " (not reproduced when run again)" : " (stopped before it was explained)";
    f.schedule = seen.schedule;
  }
  worker_.set_stop([&watch = watch_] { return watch.is_over(); });
  f.runs = seen.runs;
  f.visible.assign(knowledge_.visible.begin(), knowledge_.visible.end());
  return f;
}

Finding Explainer::nondeterminism(const Nondeterminism& n, const Notes& notes) {
  if ((notes.set & abi::note_foreign_thread) != 0)
    throw Misuse(
        fmt::format("two runs of one schedule diverge at step {}, and a library that was not "
                    "built with heddle starts threads, which heddle cannot control. Build the "
                    "library with heddle cc or c++, or test without it",
                    n.step + 1));
  Finding f;
  f.kind = abi::Finding::nondeterminism;
  f.message = fmt::format(
      "two runs of one schedule diverge at step {}: does the program use something that heddle "
      "does not control (real time, a file, uninitialised memory)?",
      n.step + 1);
  f.place = worker_.with_process(
      [&](pid_t process) { return Symbols(process).site(n.site).value_or(Place{}); });
  f.schedule = n.schedule;
  f.runs = 1;
  return f;
}

}  // namespace heddle::native
