#include "native/exploration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "base/check.hpp"
#include "native/describe.hpp"
#include "native/engine.hpp"
#include "native/explainer.hpp"
#include "native/remarks.hpp"
#include "native/settings.hpp"
#include "parallel/split.hpp"

namespace heddle::native {
namespace {

using parallel::Item;
using End = parallel::Engine::End;

class Exploration {
 public:
  Exploration(const Algorithm& algorithm, const Options& options)
      : algorithm_(algorithm),
        options_(options),
        suppressions_(options.suppress),
        engine_(algorithm, options),
        resume_(options.resume),
        engines_(algorithm.is_divisible() ? options.engines : 1),
        watch_(options.limits, options.on_progress) {
    if (algorithm.by_state && options.isolate)
      throw Misuse(fmt::format("algorithm '{}' needs all runs in one process: leave out --isolate",
                               algorithm.name));
    if (resume_ != nullptr) engine_.set(resume_->knowledge, resume_->numbering);
  }

  Report run() {
    for (Knowledge before = engine_.known(); !attempt(); before = engine_.known()) {
      HEDDLE_CHECK(engine_.known().includes(before) &&
                   (finds_again_ || !before.includes(engine_.known())));
      ++report_.restarts;
      if (options_.part) return void_part();
      resume_ = nullptr;  // its trees no longer mean the same
    }
    Worker& worker = engine_.worker();
    report_.seconds = watch_.seconds();
    if (all_.notes.bounded != 0) report_.complete = false;
    report_.warnings = warnings_of(all_.notes, options_, worker);
    report_.limits = limits_of(all_.notes, options_, all_.unseen, worker);
    report_.suppressed = suppressed_races(engine_.known());
    for (const Suppressed& by : report_.suppressed) report_.limits.push_back(by.text());
    report_.warnings.insert(report_.warnings.end(), suppressions_.remarks().begin(),
                            suppressions_.remarks().end());
    if (report_.is_vacuous())
      report_.limits.insert(report_.limits.begin(), what_held(all_.notes, worker));
    if (all_.endless != 0)
      report_.limits.insert(report_.limits.begin(),
                            fmt::format("runs cut off after {} steps: {}; the others are explored",
                                        options_.max_steps, all_.endless));
    if (!report_.stopped.empty())
      report_.limits.insert(report_.limits.begin(), not_every_schedule(report_.stopped));
    return std::move(report_);
  }

  Checkpoint split(std::size_t wanted) {
    for (;;) try {
        const auto stop = [this] { return watch_.is_over(); };
        const Item whole{.cube = "", .estimate = parallel::outlook_of_whole(engine_, stop)};
        std::vector<Item> parts = parallel::split_into(engine_, whole, wanted, stop);
        return {{}, engine_.known(), engine_.numbering(), std::move(parts)};
      } catch (const Learned&) {
        engine_.set(Knowledge(engine_.known()), Numbering(engine_.numbering()));
      } catch (const Interrupted&) {
        throw Misuse(watch_.stopped() + " before the program was split");
      }
  }

 private:
  Report void_part() {
    report_ = {};
    report_.stopped = "something was learned about the program that changes what its steps are";
    report_.limits = {report_.stopped + ": all parts have to be made anew"};
    report_.learned = Checkpoint{{}, engine_.known(), engine_.numbering(), {}};
    report_.seconds = watch_.seconds();
    return std::move(report_);
  }

  // False: something was learned, or is to be found again by one engine.
  bool attempt() {
    const std::size_t restarts = report_.restarts;
    report_ = {};
    report_.is_part = options_.part;
    report_.restarts = restarts;
    engine_.forget();
    end_ = explore();
    if (end_ == End::learned) return false;
    sum_up();
    if (is_to_be_found_again()) return false;
    try {
      if (judge()) return false;
      leave_out_endless();
      explain();
    } catch (const Learned&) {  // a run that is explained may still show it
      return false;
    } catch (const Unsupported& u) {
      throw engine_.worker().with_process(
          [&](pid_t process) { return unsupported(u.outcome, Symbols(process)); });
    } catch (const Interrupted&) {
      report_.complete = false;
      report_.stopped = watch_.stopped();
    }
    return true;
  }

  End explore() {
    open_ = {Item()};
    if (resume_ != nullptr) {
      open_ = resume_->open;
      engine_.add(to_json(resume_->done));
    }
    const Brought expected = begin_again();
    engine_.expect(expected);
    const auto make = [&] {
      Brought known = engine_.brought();
      known += expected;
      return std::make_unique<NativeEngine>(algorithm_, options_, known);
    };
    return parallel::explore(engine_, make, control(), open_, report_.overhead);
  }

  // Cubes of which it is not known what is left. Returns what was found in them, and will be again.
  Brought begin_again() {
    Brought out;
    for (Item& item : open_) {
      if (item.partial.is_null() || !left_of(item.partial).empty()) continue;
      Brought found;
      found.seen = brought_of(item.partial).seen;
      out += found;
      item.partial = nullptr;
    }
    return out;
  }

  parallel::Control control() {
    parallel::Control out;
    out.engines = engines_;
    out.resumable = algorithm_.any_order && !algorithm_.by_state;
    if (algorithm_.by_state) out.division.in_common = parallel::states_in_common;
    if (!out.resumable && options_.saves) out.division.longest = options_.checkpoint_every;
    if (!finds_again_) out.elsewhere = options_.elsewhere;
    out.divisible = algorithm_.is_divisible();
    if (options_.explore.max_executions != 0) out.most_runs = options_.explore.max_executions;
    out.may_continue = [this](const parallel::Progress& p) {
      return watch_.may_continue(p.memory_kb, [&] { return progress_of(p); });
    };
    out.is_over = [this] { return watch_.is_over(); };
    if (options_.on_checkpoint) {
      out.save_now = [this] { return watch_.is_time_to_save(options_.checkpoint_every); };
      out.on_save = [this](const std::vector<Item>& open) {
        const Stopwatch stopwatch;
        options_.on_checkpoint({engine_.brought(), engine_.known(), engine_.numbering(), open});
        watch_.has_saved(stopwatch.seconds());
      };
    }
    return out;
  }

  // How large a graph of states will become is not known.
  Progress progress_of(const parallel::Progress& p) {
    const bool tells = !algorithm_.by_state;
    report_.open_states = p.open;
    return {.counts = p.counts,
            .findings = engine_.brought().seen.size() + p.findings,
            .open = p.open,
            .outlook = tells ? p.outlook() : 0};
  }

  // What was brought, by cubes that are complete or not; and why it stopped.
  void sum_up() {
    all_ = engine_.brought();
    for (const Item& item : open_)
      if (!item.partial.is_null()) all_ += brought_of(item.partial);
    report_.brought = all_;
    report_.counts = all_.counts;
    report_.outcomes = all_.outcomes;
    report_.races = engine_.races();
    // What would have followed a death is not known.
    const auto died = [](const Seen& s) { return s.outcome.finding == abi::Finding::died; };
    report_.complete = end_ == End::complete && std::ranges::none_of(all_.seen, died);
    if (all_.endless >= most_endless)
      report_.stopped = fmt::format("{} runs took too many steps", all_.endless);
    else if (end_ == End::stopped)
      report_.stopped = watch_.stopped().empty() ? fmt::format("the limit of {} runs was reached",
                                                               options_.explore.max_executions)
                                                 : watch_.stopped();
    if (end_ != End::complete && is_worth_a_checkpoint() && !all_.nondeterminism)
      report_.checkpoint =
          Checkpoint{engine_.brought(), engine_.known(), engine_.numbering(), open_};
    engine_.worker().set_stop([this] { return watch_.is_over(); });
  }

  // Unless all would be begun again, and the user does not want one.
  bool is_worth_a_checkpoint() const {
    const bool resumable = algorithm_.any_order && !algorithm_.by_state;
    const bool has_parts = resume_ != nullptr || report_.overhead.cubes != 0;
    return algorithm_.is_divisible() && (resumable || has_parts || options_.saves);
  }

  // What several engines find first depends on which of them is faster.
  bool is_to_be_found_again() {
    if (!options_.deterministic || finds_again_ || report_.overhead.engines == 1 ||
        (all_.seen.empty() && !all_.nondeterminism))
      return false;
    finds_again_ = true;
    engines_ = 1;
    return true;
  }

  void explain() {
    if (all_.nondeterminism)
      report_.findings.push_back(explainer().nondeterminism(*all_.nondeterminism, all_.notes));
    for (const Seen& s : all_.seen) report_.findings.push_back(explainer().explain(s));
  }

  // Whether some of the data races found are suppressed. Their accesses become visible and are
  // explored, so the exploration has to start over. Each is explained in a run of its own, and so
  // are those that come after it in the same run.
  bool judge() {
    Knowledge& known = engine_.known();
    std::set<std::uint64_t> memory;
    const std::size_t pardoned = known.pardoned.size(), visible = known.visible.size();
    for (const Seen& s : all_.seen) {
      if (s.outcome.finding != abi::Finding::data_race) continue;
      Explanation run = engine_.whole().explain(s.schedule);
      while (pardon(run, suppressions_, engine_.worker(), known)) {
        engine_.worker().configure(*settings_of(options_, known, algorithm_.covers));
        run = engine_.whole().explain(s.schedule);
      }
      for (const abi::WireRace& r : run.races)
        if (r.sort == abi::RaceSort::suppressed) memory.insert(r.memory);
    }
    known.visible.merge(memory);
    if (known.too_much_visible())
      throw Misuse("suppressed data races affect more memory than can be explored");
    return known.visible.size() != visible || known.pardoned.size() != pardoned;
  }

  // Where there are findings, runs that were cut off are not reported.
  void leave_out_endless() {
    const auto is_endless = [](const Seen& s) {
      return s.outcome.finding == abi::Finding::endless;
    };
    if (options_.keep_going || std::ranges::all_of(all_.seen, is_endless)) return;
    std::erase_if(all_.seen, is_endless);
  }

  Explainer explainer() {
    return {options_, engine_.worker(), engine_.whole(), watch_, engine_.known()};
  }

  const Algorithm& algorithm_;
  const Options& options_;
  const Suppressions suppressions_;
  NativeEngine engine_;
  const Checkpoint* resume_;
  unsigned engines_;
  Watch watch_;
  std::vector<Item> open_;
  End end_ = End::complete;
  Brought all_;
  bool finds_again_ = false;  // what others found
  Report report_;
};

}  // namespace

Report explore(const Algorithm& algorithm, const Options& options) {
  return Exploration(algorithm, options).run();
}

Checkpoint split(const Algorithm& algorithm, const Options& options, std::size_t wanted) {
  return Exploration(algorithm, options).split(wanted);
}

}  // namespace heddle::native
