#include "native/engine.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "native/describe.hpp"
#include "native/machine.hpp"
#include "native/settings.hpp"
#include "native/thread_paths.hpp"
#include "native/unseen.hpp"
#include "parallel/asking.hpp"
#include "parallel/choose.hpp"
#include "parallel/control.hpp"

namespace heddle::native {

using parallel::Item;
using parallel::Json;
using parallel::Look;

NativeEngine::NativeEngine(const Algorithm& algorithm, const Options& options, const Brought& known)
    : algorithm_(algorithm),
      options_(options),
      worker_(std::make_unique<Worker>(options.command)),
      known_(known),
      divisible_(observers_of(algorithm)) {}

void NativeEngine::forget() {
  total_ = {};
  races_.clear();
  runner_.reset();
  cube_.reset();
}

void NativeEngine::set(const Knowledge& knowledge, const Numbering& numbering) {
  forget();
  knowledge_ = knowledge;
  if (numbering == worker_->names().numbering()) return;
  worker_ = std::make_unique<Worker>(options_.command);  // numbers cannot be taken back
  worker_->names().set_numbering(numbering);
}

Json NativeEngine::knowledge() { return to_json(knowledge_, numbering()); }

// Adds what is new: others may have learned something else meanwhile.
void NativeEngine::learn(const Json& json) {
  Knowledge now = knowledge_;
  now += knowledge_of(json);
  Numbering numbers = numbering();
  const Numbering theirs = numbering_of(json);
  for (std::size_t k = 1; k <= theirs.threads.size(); ++k)
    number_of(path_of(static_cast<ThreadId>(k), theirs), numbers);
  now.threads = std::max(now.threads, numbers.threads.size() + 1);
  set(now, numbers);
}

NativeRunner& NativeEngine::whole() { return runner_for(""); }

NativeRunner& NativeEngine::runner_for(const std::string& text) {
  if (runner_ && cube_ == text) return *runner_;
  Numbering numbers = numbering();
  const Cube cube = cube_of(text, numbers);
  if (numbers != numbering()) throw Misuse("the cube '" + text + "' is of another program");
  runner_.reset();
  worker_->configure(*settings_of(options_, knowledge_, algorithm_.covers, cube));
  runner_.emplace(*worker_, worker_->names(), knowledge_, options_.races, options_.repeat_every,
                  cube);
  cube_ = text;
  return *runner_;
}

parallel::Engine::Explored NativeEngine::explore(const Item& item, Look& look) {
  last_ = item.partial.is_null() ? Brought() : brought_of(item.partial);
  left_ = item.partial.is_null() ? SavedFrontier() : left_of(item.partial);
  if (left_.empty()) last_ = {};  // it cannot be taken up again
  finds_ = false;
  divisible_.begin();
  worker_->set_stop([&look] { return look.is_over(); });
  ExploreOptions how = options_.explore;
  how.on_run = [this](const Log& log) { return note(log); };
  // Half of it: there is more than the graph in a process, and it is to end before that is reached.
  how.most_memory_kb = options_.limits.memory_kb / (2 * std::max(options_.engines, 1U));
  how.save_now = [&look] { return look.save_now(); };
  how.on_save = [&](SavedFrontier left) {
    left_ = std::move(left);
    look.save(yield());
  };
  parallel::Asking asking(look, how, algorithm_.any_order, [this] {
    return Look::Live{.counts = last_.counts,
                      .findings = last_.seen.size(),
                      .divisible = divisible_.yes(),
                      .outlook = {}};
  });
  Result result;
  try {
    result = run(item, how);
  } catch (const Learned&) {
    result.start_over = true;
  }
  worker_->set_stop({});
  if (result.start_over) return {End::learned, 0};
  left_ = std::move(result.left);
  if (finds_ || last_.nondeterminism) return {End::found, asking.outlook()};
  if (result.complete) return {End::complete, static_cast<double>(parallel::runs_of(last_.counts))};
  return {asking.asked() == Look::Asked::give_up ? End::given_up : End::stopped, asking.outlook()};
}

Result NativeEngine::run(const Item& item, ExploreOptions how) {
  const SavedFrontier left = left_;
  if (!left.empty()) how.resume = &left;
  Result result;
  result.complete = false;
  NativeRunner& runner = runner_for(item.cube);
  const Counts before = last_.counts;
  try {
    NativeMachine machine(runner);
    how.wants_race = [&](const RacingPair& race) { return runner.counts_as_race(race); };
    result = algorithm_.explore({runner, machine}, how);
    if (options_.collect_races)
      for (const RacingPair& race : result.races)
        if (runner.counts_as_race(race)) runner.add_race(race, races_);
    last_.counts = before;
    last_.counts += result.counts;
    if (!finds_ && !result.start_over) runner.finish();
  } catch (const Nondeterminism& n) {
    last_.nondeterminism = n;
  } catch (const Diverged& d) {
    if (runner.repeats(d.schedule)) throw;  // a bug in heddle, not of the program
    last_.nondeterminism = Nondeterminism{d.step, 0, d.schedule};
  } catch (const Unsupported& u) {
    worker_->set_stop({});
    throw worker_->with_process(
        [&](pid_t process) { return unsupported(u.outcome, Symbols(process)); });
  }
  if (!result.start_over) last_.notes += runner.notes();
  runner_.reset();  // its notes count once
  return result;
}

Decision NativeEngine::note(const Log& log) {
  divisible_.note(log, *runner_);
  if (options_.collect_races) runner_->add_races(races_);
  const Outcome& outcome = log.outcome;
  if (log.counts) {
    last_.counts.count(log);
    last_.counts.events += log.events.size();
    if (log.ending != Ending::assumed) ++last_.outcomes[{outcome.value, outcome.finding}];
  }
  if (outcome.finding == abi::Finding::none) return Decision::proceed;
  const bool endless = outcome.finding == abi::Finding::endless;
  bool is_new = false;
  if (Seen* const known = last_.find(outcome)) {
    known->runs += log.counts ? 1 : 0;
  } else {
    Schedule schedule;
    for (const Event& e : log.events) schedule.push_back(e.move);
    if (algorithm_.any_order && outcome.dying_move) schedule.push_back(*outcome.dying_move);
    last_.seen.push_back({outcome, std::move(schedule), 1});
    // What a checkpoint had found is no reason to stop again.
    is_new = known_.find(outcome) == nullptr && total_.find(outcome) == nullptr;
  }
  if (endless) ++last_.endless;
  finds_ =
      endless ? total_.endless + last_.endless >= most_endless : is_new && !options_.keep_going;
  return finds_ ? Decision::stop : Decision::proceed;
}

std::optional<parallel::Halves> NativeEngine::halves(const std::string& text) {
  NativeRunner& runner = runner_for(text);
  std::optional<parallel::Splitting> by;
  try {
    if (runner.cube().waits.size() < abi::max_waits)
      by = parallel::steps_to_split_by(runner, observers_of(algorithm_));
  } catch (const Nondeterminism&) {  // it will show again
  } catch (const Unsupported&) {
  }
  if (!by) return {};
  const auto [first, second] = runner.cube().split(by->first, by->second);
  return {{to_text(first, numbering()), to_text(second, numbering()), by->in_vain, by->cost}};
}

Json NativeEngine::yield() {
  add_unseen(last_);
  Json out = to_json(last_);
  if (!left_.empty()) add_to(out, left_);
  return out;
}

void NativeEngine::keep() {
  add_unseen(last_);
  total_ += last_;
}

void NativeEngine::add_unseen(Brought& to) {
  Brought more;
  more.unseen = unseen_functions(*worker_);
  to += more;
}

}  // namespace heddle::native
