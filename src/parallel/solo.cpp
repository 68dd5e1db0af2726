// Exploring parts in this process, one after the other; and several processes once that has taken a
// moment.
#include <algorithm>
#include <iterator>
#include <span>

#include "parallel/control.hpp"
#include "parallel/policy.hpp"
#include "parallel/pool.hpp"
#include "parallel/split.hpp"

namespace heddle::parallel {
namespace {

using End = Engine::End;

class Solo {
 public:
  Solo(Engine& engine, const Control& control, std::vector<Item>& open, Overhead& overhead)
      : engine_(engine), control_(control), open_(open), overhead_(overhead) {}

  // Until all is done, or something else ends it. End::given_up: it has taken a moment, and there
  // are other engines.
  End run() {
    while (!open_.empty() && runs_ != 0) {
      const End end = explore_last();
      if (end != End::complete) return end;
    }
    return open_.empty() ? End::complete : End::stopped;
  }

  std::uint64_t runs_left() const { return runs_; }

 private:
  class SoloLook;

  End explore_last();
  void split_last(const SoloLook& given_up);
  void keep();

  Engine& engine_;
  const Control& control_;
  std::vector<Item>& open_;  // the last of them is being explored
  Overhead& overhead_;
  std::uint64_t runs_ = control_.most_runs;
  Stopwatch stopwatch_;
};

class Solo::SoloLook final : public Look {
 public:
  explicit SoloLook(Solo& solo) : solo_(solo) {}

  Asked look(const Live& live) override {
    const Control& control = solo_.control_;
    if (!control.may_continue(progress(live))) return Asked::stop;
    if (!control.divisible || !live.divisible) return Asked::proceed;
    is_for_others_ = control.has_others() && is_worth_sharing(live);
    if (live.nodes <= control.most_nodes && !is_for_others_ && !is_too_long())
      return Asked::proceed;
    runs_ = runs_of(live.counts);
    parts_ = live.nodes > control.most_nodes
                 ? parts_for_memory(static_cast<double>(runs_), live.outlook())
                 : parts_for_saving;
    return Asked::give_up;
  }
  std::uint64_t more_runs() override { return std::exchange(allowed_, 0); }
  bool save_now() override { return solo_.control_.save_now(); }
  void save(const Json& yield) override {
    std::vector<Item> all = solo_.open_;
    all.back().partial = yield;
    solo_.control_.on_save(all);
  }
  bool is_over() override { return solo_.control_.is_over(); }

  bool is_for_others() const { return is_for_others_; }
  std::size_t parts() const { return parts_; }
  std::uint64_t runs() const { return runs_; }  // that were given up
  double seconds() const { return since_.seconds(); }

 private:
  // What is done of it would be lost with this process.
  bool is_too_long() const {
    return since_.seconds() >
           std::max(solo_.control_.division.longest, solo_.open_.back().given_up);
  }
  bool is_worth_sharing(const Live& live) {
    const double seconds = solo_.stopwatch_.seconds();
    // Others are there already, and wait.
    if (solo_.control_.elsewhere) return seconds >= alone_for;
    if (solo_.control_.division.in_common > 0) return is_worth_sharing_states(live.counts, seconds);
    const auto done = static_cast<double>(runs_of(live.counts));
    return sharing_.is_worth_it({done, live.outlook(), seconds});
  }
  Progress progress(const Live& live) const {
    Progress out;
    out.counts = solo_.engine_.total();
    auto others = static_cast<double>(out.counts.runs());
    for (const Item& item : std::span(solo_.open_).first(solo_.open_.size() - 1))
      others += item.estimate;
    out.counts += live.counts;
    out.findings = live.findings;
    out.open = live.open;
    out.outlook = [others, outlook = live.outlook] { return others + outlook(); };
    return out;
  }

  Solo& solo_;
  std::uint64_t allowed_ = solo_.runs_, runs_ = 0;
  Stopwatch since_;
  Sharing sharing_;
  bool is_for_others_ = false;
  std::size_t parts_ = 2;
};

End Solo::explore_last() {
  SoloLook look(*this);
  const Engine::Explored now = engine_.explore(open_.back(), look);
  switch (now.end) {
    case End::complete:
      keep();
      open_.pop_back();
      break;
    case End::given_up:
      open_.back().partial = nullptr;
      open_.back().estimate = now.outlook;
      if (look.is_for_others()) {
        overhead_.thrown_away += look.runs();
        open_.back().estimate = now.outlook;
        return now.end;
      }
      split_last(look);
      return End::complete;
    case End::stopped:
    case End::found:
      open_.back().partial = engine_.yield();
      break;
    case End::learned:
      break;
  }
  return now.end;
}

void Solo::split_last(const SoloLook& given_up) {
  const Item cube = std::move(open_.back());
  open_.pop_back();
  overhead_.thrown_away += given_up.runs();
  const double seconds = cube.given_up + given_up.seconds();
  std::vector<Item> split = split_into(engine_, cube, given_up.parts(), control_.is_over);
  for (Item& part : split) part.given_up = seconds;
  std::ranges::reverse(split);
  std::ranges::move(split, std::back_inserter(open_));
}

void Solo::keep() {
  const std::uint64_t before = runs_of(engine_.total());
  engine_.keep();
  ++overhead_.cubes;
  const std::uint64_t used = runs_of(engine_.total()) - before;
  if (runs_ != Look::any_number) runs_ -= std::min(used, runs_);
}

}  // namespace

End explore(Engine& own, const MakeEngine& make, const Control& control, std::vector<Item>& open,
            Overhead& overhead) {
  try {
    Solo solo(own, control, open, overhead);
    // To take up several cubes again takes more than a moment.
    const bool at_once = control.has_others() && control.divisible && open.size() > 1;
    const End end = at_once ? End::given_up : solo.run();
    if (end != End::given_up) return end;
    if (control.elsewhere) return control.elsewhere(own, make, control, open, overhead);
    return Pool(own, make, control, open, overhead, solo.runs_left()).run();
  } catch (const Learned&) {
    return End::learned;
  } catch (const Interrupted&) {
    return End::stopped;
  }
}

}  // namespace heddle::parallel
