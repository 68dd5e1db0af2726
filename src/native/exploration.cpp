#include "native/exploration.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <optional>
#include <ranges>
#include <sstream>

#include "base/check.hpp"
#include "native/describe.hpp"
#include "native/machine.hpp"
#include "native/minimise.hpp"
#include "native/remarks.hpp"
#include "native/unseen.hpp"

namespace heddle::native {
namespace {

// Of a schedule that kills the process, so many others are tried at most: each death costs some
// time.
constexpr std::size_t most_deaths = 40;

// So many runs without an end are put up with. What they do, others that are left to do may do too.
constexpr std::uint64_t most_endless = 100;

std::vector<std::uint64_t> parse_visible(const std::string& text) {
  std::vector<std::uint64_t> out;
  std::istringstream in(text);
  for (std::string word; in >> word;) {
    std::uint64_t memory = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), memory, 16);
    if (error != std::errc() || end != word.data() + word.size() || out.size() == abi::max_visible)
      throw Misuse("the visible memory after a schedule is a list of hexadecimal numbers, not '" +
                   word + "'");
    out.push_back(memory);
  }
  return out;
}

std::unique_ptr<abi::Settings> settings_of(const Options& from, const Knowledge& knowledge,
                                           Covers covers = Covers::final_states) {
  auto out = std::make_unique<abi::Settings>();
  abi::Settings& to = *out;
  to.observers = covers == Covers::observations ? 1 : 0;
  to.step_limit = std::min(from.max_steps, abi::max_steps);
  to.waiting_rounds = from.waiting_rounds;
  to.races = from.races;
  to.timeouts = from.timeouts;
  to.spurious_wakeups = from.spurious_wakeups ? 1 : 0;
  to.fork_each = from.isolate ? 1 : 0;
  to.savepoints = from.savepoints;
  to.all_visible = from.all_visible ? 1 : 0;
  to.semaphore_values = knowledge.semaphore_values ? 1 : 0;
  to.block_choices = knowledge.block_choices ? 1 : 0;
  to.kill_at_exit = from.kill_at_exit ? 1 : 0;
  to.nondet_count = static_cast<std::uint32_t>(from.nondet.size());
  std::ranges::copy(from.nondet, to.nondet);
  to.visible_count = static_cast<std::uint32_t>(knowledge.visible.size());
  std::ranges::copy(knowledge.visible, to.visible);
  to.pardoned_count = static_cast<std::uint32_t>(knowledge.pardoned.size());
  std::ranges::copy(std::views::keys(knowledge.pardoned), to.pardoned);
  return out;
}

// What a program that is started by hand reads to make this run (abi::RunFile).
std::string run_file(const Options& options, const Schedule& schedule, const Knowledge& knowledge) {
  const auto file = std::make_unique<abi::RunFile>();
  file->version = abi::version;
  file->settings = *settings_of(options, knowledge);
  file->request = {0, 0, abi::Then::explain, static_cast<std::uint32_t>(schedule.size()), 0, 0};
  std::string out(reinterpret_cast<const char*>(file.get()), sizeof *file);
  for (const Move& m : schedule) {
    const abi::WireMove wire{m.thread, m.alternative};
    out.append(reinterpret_cast<const char*>(&wire), sizeof wire);
  }
  return out;
}

Misuse unsupported(Worker& worker, const Outcome& outcome) {
  const auto place =
      worker.with_process([&](pid_t process) { return Symbols(process).site(outcome.site); });
  return Misuse(fmt::format(
      "not supported by heddle: {}{}", outcome.text,
      place ? fmt::format(" ({}:{}, in {})", place->file, place->line, place->function) : ""));
}

bool same(const Outcome& a, const Outcome& b) {
  return a.finding == b.finding && a.site == b.site && a.text == b.text;
}

// Both are in order, and have nothing twice.
void add_to_set(std::vector<std::string>& to, const std::vector<std::string>& more) {
  std::vector<std::string> all;
  std::ranges::set_union(to, more, std::back_inserter(all));
  to = std::move(all);
}

class Exploration {
 public:
  Exploration(const Algorithm& algorithm, const Options& options)
      : algorithm_(algorithm),
        options_(options),
        suppressions_(options.suppress),
        worker_(options.command),
        resume_(options.resume),
        watch_(options.limits, options.on_progress) {
    worker_.set_stop([this] { return watch_.is_over(); });
    if (resume_ == nullptr) return;
    knowledge_ = resume_->knowledge;
    worker_.names().set_numbering(resume_->numbering);
  }

  Report run() {
    while (!attempt()) {
      ++report_.restarts;
      resume_ = nullptr;  // what it has to go on with no longer means the same
    }
    report_.seconds = watch_.seconds();
    if (notes_.bounded != 0) report_.complete = false;
    report_.warnings = warnings_of(notes_, options_, worker_);
    report_.limits = limits_of(notes_, options_, unseen_, worker_);
    report_.suppressed = suppressed_races(knowledge_);
    for (const Suppressed& by : report_.suppressed) report_.limits.push_back(by.text());
    report_.warnings.insert(report_.warnings.end(), suppressions_.remarks().begin(),
                            suppressions_.remarks().end());
    if (report_.is_vacuous())
      report_.limits.insert(report_.limits.begin(), what_held(notes_, worker_));
    if (endless_ != 0)
      report_.limits.insert(report_.limits.begin(),
                            fmt::format("runs cut off after {} steps: {}; the others are explored",
                                        options_.max_steps, endless_));
    if (!report_.stopped.empty())
      report_.limits.insert(report_.limits.begin(),
                            report_.stopped + ": not every schedule was explored");
    return std::move(report_);
  }

 private:
  struct Seen {
    Outcome outcome;
    Schedule schedule;
    std::uint64_t runs;
  };

  // False: something was learned.
  bool attempt() {
    const std::size_t restarts = report_.restarts;
    report_ = {};
    report_.restarts = restarts;
    seen_.clear();
    endless_ = 0;
    stops_ = false;
    runner_.reset();
    worker_.configure(*settings_of(options_, knowledge_, algorithm_.covers));
    runner_.emplace(worker_, worker_.names(), knowledge_, options_.races, options_.repeat_every);
    try {
      if (resume_ != nullptr) take_up(*resume_);
      if (!explore()) return false;
      if (judge()) return false;
    } catch (const Learned&) {
      return false;
    } catch (const Unsupported& u) {
      throw unsupported(worker_, u.outcome);
    } catch (const Interrupted&) {
      report_.complete = false;
      report_.stopped = watch_.stopped();
    }
    sum_up();
    if (report_.checkpoint) complete(*report_.checkpoint);
    leave_out_endless();
    for (const Seen& s : seen_) report_.findings.push_back(explained(s));
    return true;
  }

  // Whether there are data races among what was found that are suppressed. They are explored like
  // all that is visible, so the exploration has to start over. Each is looked at in a run of its
  // own, and so are those that come behind it in the same run.
  bool judge() {
    std::set<std::uint64_t> memory;
    const std::size_t pardoned = knowledge_.pardoned.size(), visible = knowledge_.visible.size();
    for (const Seen& s : seen_) {
      if (s.outcome.finding != abi::Finding::data_race) continue;
      Explanation run = runner_->explain(s.schedule);
      while (pardon(run, suppressions_, worker_, knowledge_)) {
        worker_.configure(*settings_of(options_, knowledge_, algorithm_.covers));
        run = runner_->explain(s.schedule);
      }
      for (const abi::WireRace& r : run.races)
        if (r.sort == abi::RaceSort::suppressed) memory.insert(r.memory);
    }
    knowledge_.visible.merge(memory);
    if (knowledge_.too_much_visible())
      throw Misuse("suppressed data races are of more memory than can be explored");
    return knowledge_.visible.size() != visible || knowledge_.pardoned.size() != pardoned;
  }

  // What is not to be lost, though it takes a process that lives.
  void sum_up() {
    worker_.set_stop({});
    notes_ = runner_->notes();
    unseen_ = unseen_functions(worker_);
    if (resume_ != nullptr) {
      notes_ += resume_->notes;
      add_to_set(unseen_, resume_->unseen);
    }
    worker_.set_stop([this] { return watch_.is_over(); });
  }

  void complete(Checkpoint& checkpoint) {
    checkpoint.notes = notes_;
    checkpoint.unseen = unseen_;
    checkpoint.numbering = worker_.names().numbering();
  }

  void save(SavedFrontier left) {
    const Stopwatch stopwatch;
    Checkpoint now = checkpoint(std::move(left));
    sum_up();
    complete(now);
    options_.on_checkpoint(std::move(now));
    watch_.has_saved(stopwatch.seconds());
  }

  // What was found before is found again.
  void take_up(const Checkpoint& checkpoint) {
    report_.counts = checkpoint.counts;
    report_.outcomes = checkpoint.outcomes;
    report_.checkpoint = checkpoint;  // if it does not get any further
    for (const Checkpoint::Found& f : checkpoint.found)
      seen_.push_back({runner_->run_alone(f.schedule).outcome, f.schedule, f.runs});
    report_.checkpoint.reset();
  }

  Checkpoint checkpoint(SavedFrontier left) const {
    Checkpoint out{report_.counts, {}, report_.outcomes, knowledge_, {}, {}, {}, std::move(left)};
    for (const Seen& s : seen_) out.found.push_back({s.schedule, s.runs});
    return out;
  }

  // False: something was learned.
  bool explore() {
    ExploreOptions how = options_.explore;
    how.on_run = [&](const Log& log) { return note_run(log); };
    how.may_continue = [&](const Tree* tree) {
      return watch_.go_on(tree, [&] { return Progress{report_.counts, seen_.size(), 0, {}}; });
    };
    if (resume_ != nullptr) {
      how.resume = &resume_->left;
    }
    if (options_.on_checkpoint) {
      how.save_now = [&] { return watch_.is_time_to_save(options_.checkpoint_every); };
      how.on_save = [&](SavedFrontier left) { save(std::move(left)); };
    }
    try {
      const Counts before = report_.counts;
      NativeMachine machine(*runner_);
      Result result = algorithm_.explore({*runner_, machine}, how);
      if (result.start_over) return false;
      report_.counts = before;
      report_.counts += result.counts;
      // What others would have done after a death is not known.
      report_.complete = result.complete && std::ranges::none_of(seen_, [](const Seen& s) {
                           return s.outcome.finding == abi::Finding::died;
                         });
      if (!stops_) runner_->finish();
      if (result.complete) return true;
      if (!stops_)
        report_.stopped = watch_.stopped().empty()
                              ? fmt::format("the limit of {} runs was reached", how.max_executions)
                              : watch_.stopped();
      if (algorithm_.any_order) report_.checkpoint = checkpoint(std::move(result.left));
    } catch (const Nondeterminism& n) {
      note_nondeterminism(n, n.schedule);
    } catch (const Diverged& m) {
      if (runner_->repeats(m.schedule)) throw;  // ours
      note_nondeterminism({m.step, 0, {}}, m.schedule);
    }
    return true;
  }

  Decision note_run(const Log& log) {
    report_.counts.count(log);
    report_.counts.events += log.events.size();
    const Outcome& outcome = log.outcome;
    if (log.ending != Ending::assumed) ++report_.outcomes[{outcome.value, outcome.finding}];
    if (outcome.finding == abi::Finding::none) return Decision::proceed;
    const bool endless = outcome.finding == abi::Finding::endless;
    const auto known = std::ranges::find_if(seen_, [&](const Seen& s) {
      return endless ? s.outcome.finding == outcome.finding : same(s.outcome, outcome);
    });
    if (known != seen_.end()) {
      ++known->runs;
    } else {
      Schedule schedule;
      for (const Event& e : log.events) schedule.push_back(e.move);
      if (algorithm_.any_order && outcome.dying_move) schedule.push_back(*outcome.dying_move);
      seen_.push_back({outcome, std::move(schedule), 1});
    }
    if (endless && ++endless_ == most_endless)
      report_.stopped = fmt::format("{} runs took too many steps", endless_);
    stops_ = endless ? endless_ >= most_endless : !options_.keep_going;
    return stops_ ? Decision::stop : Decision::proceed;
  }

  // Beside what is wrong, it does not matter that other runs were cut off.
  void leave_out_endless() {
    const auto is_endless = [](const Seen& s) {
      return s.outcome.finding == abi::Finding::endless;
    };
    if (options_.keep_going || std::ranges::all_of(seen_, is_endless)) return;
    std::erase_if(seen_, is_endless);
  }

  // A schedule of the same finding that is easier to follow. Where a run is cut off for its length
  // is an accident.
  Schedule simplest(const Seen& seen) {
    const bool dies = seen.outcome.finding == abi::Finding::died;
    const bool endless = seen.outcome.finding == abi::Finding::endless;
    bool gone = false;  // a worker that hangs takes long to notice: once is enough
    const auto attempt = [&](const Schedule& schedule) -> std::optional<Schedule> {
      if (gone || watch_.is_over()) return std::nullopt;
      try {
        const Explanation run = runner_->run_alone(schedule);
        gone = run.outcome.finding == abi::Finding::died && (!dies || worker_.fate().took_too_long);
        if (endless ? run.outcome.finding != abi::Finding::endless
                    : !same(run.outcome, seen.outcome))
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

  // Run again, this time with stacks and places, and with threads numbered as a replay will.
  Explanation explained_run(const Seen& seen) {
    if (seen.outcome.text == does_not_come_back) return runner_->explain(seen.schedule);
    const Schedule schedule = simplest(seen);
    const Schedule fresh = renumbered(runner_->run_alone(schedule));
    worker_.number_afresh(true);
    try {
      Explanation e = runner_->explain(fresh);
      worker_.number_afresh(false);
      return e;
    } catch (...) {
      worker_.number_afresh(false);
      throw;
    }
  }

  Finding explained(const Seen& seen) {
    if (!options_.explain) return barely(seen);
    Explanation e;
    bool repeats = false, tried = true;
    try {
      e = explained_run(seen);
      repeats = e.outcome.finding == seen.outcome.finding;
    } catch (const Interrupted&) {
      tried = false;
    }
    worker_.set_stop({});  // what is left takes a moment
    if (!repeats) e.outcome = seen.outcome;
    Finding f = worker_.with_process([&](pid_t process) { return describe(e, Symbols(process)); });
    if (!repeats) {
      f.message +=
          tried ? " (not reproduced when run again)" : " (stopped before it was explained)";
      f.schedule = seen.schedule;
    }
    worker_.set_stop([this] { return watch_.is_over(); });
    f.runs = seen.runs;
    f.visible.assign(knowledge_.visible.begin(), knowledge_.visible.end());
    return f;
  }

  static Finding barely(const Seen& seen) {
    Finding f;
    f.kind = seen.outcome.finding;
    f.message = seen.outcome.text;
    f.thread = seen.outcome.thread;
    f.schedule = seen.schedule;
    f.runs = seen.runs;
    return f;
  }

  void note_nondeterminism(const Nondeterminism& n, Schedule schedule) {
    if ((runner_->notes().set & abi::note_foreign_thread) != 0)
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
    f.schedule = std::move(schedule);
    f.runs = 1;
    report_.findings.push_back(std::move(f));
  }

  const Algorithm& algorithm_;
  const Options& options_;
  const Suppressions suppressions_;
  Worker worker_;
  const Checkpoint* resume_;
  Watch watch_;
  Knowledge knowledge_;
  std::optional<NativeRunner> runner_;
  Report report_;
  std::vector<Seen> seen_;
  Notes notes_;
  std::vector<std::string> unseen_;  // functions
  std::uint64_t endless_ = 0;        // runs
  bool stops_ = false;               // because of what a run did
};

}  // namespace

bool Report::only_endless() const {
  return !findings.empty() && std::ranges::all_of(findings, [](const Finding& f) {
    return f.kind == abi::Finding::endless;
  });
}

const char* Report::verdict() const {
  if (!findings.empty() && !only_endless()) return "finding";
  if (is_vacuous()) return "vacuous";
  return complete && findings.empty() ? "verified" : "incomplete";
}

Report explore(const Algorithm& algorithm, const Options& options) {
  return Exploration(algorithm, options).run();
}

Replay replay(const Options& options, const std::string& text, Output output) {
  const std::size_t mark = text.find(findings::visible_mark);
  return replay(options, parse_schedule(text.substr(0, mark)),
                mark == std::string::npos
                    ? std::vector<std::uint64_t>{}
                    : parse_visible(text.substr(mark + findings::visible_mark.size())),
                output);
}

Replay replay(const Options& options, const Schedule& schedule,
              const std::vector<std::uint64_t>& visible, Output output) {
  Worker worker(options.command, output);
  Knowledge knowledge;
  knowledge.visible.insert(visible.begin(), visible.end());
  const Suppressions suppressions(options.suppress);
  for (;;) {
    worker.configure(*settings_of(options, knowledge));
    NativeRunner runner(worker, worker.names(), knowledge, options.races, options.repeat_every);
    try {
      const Explanation e = runner.explain(schedule);
      if (e.ending == Ending::diverged)
        throw Misuse(fmt::format("{} diverges from the schedule at step {}: {}", options.command[0],
                                 e.misfit_at + 1, e.outcome.text));
      if (pardon(e, suppressions, worker, knowledge)) continue;
      return worker.with_process([&](pid_t process) {
        const Symbols symbols(process);
        Replay out;
        out.scheduled = schedule.size();
        out.run_file = run_file(options, schedule, knowledge);
        if (e.outcome.finding != abi::Finding::none) {
          out.findings.push_back(describe(e, symbols));
          out.trace = out.findings[0].trace;
        } else {
          out.trace = trace_without_finding(e, symbols);
        }
        return out;
      });
    } catch (const Learned&) {
    } catch (const Unsupported& u) {
      throw unsupported(worker, u.outcome);
    }
  }
}

}  // namespace heddle::native
