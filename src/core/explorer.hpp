// The any-order exploration that Optimal-DPOR and its variants share. What a variant is, its
// Reduction tells: which order events have, how a race is reversed, and what wakes a sleeper. See
// reduction/optimal.hpp for the algorithm; lines refer to it.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "base/check.hpp"
#include "base/random.hpp"
#include "core/execution.hpp"
#include "core/in_place.hpp"
#include "core/path.hpp"
#include "core/result.hpp"
#include "core/sleeper.hpp"
#include "core/tree.hpp"
#include "model/runner.hpp"

namespace heddle {

template <typename Reduction>
class Explorer {
 public:
  Explorer(Runner& runner, Reduction reduction, const ExploreOptions& options)
      : runner_(runner),
        footprints_(runner.footprints()),
        reduction_(std::move(reduction)),
        options_(options),
        random_(options.seed),
        capacity_(runner.capacity()),
        execution_(footprints_, runner.thread_count(), Reduction::observers) {}

  // What is under way when it is interrupted is left to do.
  Result explore() {
    try {
      if (options_.resume != nullptr) resume(*options_.resume);
    } catch (const Interrupted&) {
      return {counts_,
              false,
              false,
              *options_.resume,
              {options_.resume_aside.begin(), options_.resume_aside.end()}};
    } catch (const Learned&) {
      return {counts_, false, true};
    }
    try {
      explore_all();
    } catch (const Interrupted&) {
      return stopped();
    }
    if (decision_ == Decision::start_over) return {counts_, false, true};
    return decision_ == Decision::proceed && tree_.leftmost() == nullptr ? Result{counts_, true}
                                                                         : stopped();
  }

 private:
  void explore_all() {
    if (random_order()) planned_ = tree_.planned();
    while (keep_busy()) {  // l.1, l.9
      const Log& log = next();
      if (log.learned) decision_ = Decision::start_over;
      if (decision_ == Decision::start_over) return;
      const std::uint64_t ticket = log.ticket;
      Node* node = asked_[ticket].node;
      if (asked_[ticket].what == Asked::reversal)
        go_on_with(node, asked_[ticket].v, log);
      else
        finish_leaf(node, log);
      tree_.finish(node);
      give_back(ticket);
      if (decision_ != Decision::proceed) return;
    }
  }

  Result stopped() {
    Result out{counts_, false};
    for (const Asked& a : asked_) {
      if (a.what == Asked::leaf) tree_.put_back(a.node);
      if (a.what != Asked::reversal) continue;
      SavedReversal& aside = out.aside.emplace_back();
      tree_.path_to(a.node, aside.path);
      for (const Event& e : a.v) aside.v.push_back(e.move);
    }
    out.left = tree_.save();
    for (const Asked& a : asked_)
      if (a.what == Asked::leaf) tree_.take(a.node);
    return out;
  }

  enum class Answer : std::uint8_t { no, yes, unknown };

  // What the Runner is asked for: to run a leaf, or along a reversal that was put aside until it is
  // known what its last event does, or to the end of a branch that was taken up again. What was
  // decided for a reversal by then is decided again: others may have inserted meanwhile.
  struct Asked {
    enum What : std::uint8_t { nothing, leaf, reversal, end } what = nothing;
    Node* node = nullptr;  // the leaf, the race's first event, or the end
    std::vector<Event> v;  // the reversal
  };

  bool random_order() const { return options_.order == ExploreOptions::Pick::random; }

  // Asks for as many runs as can be under way, those that reversals wait for first. False if there
  // is none: then all is done, or the limit is reached.
  bool keep_busy() {
    for (; under_way_ < runner_.capacity(); ++under_way_) {
      if (!aside_.empty())
        submit_reversal();
      else if (Node* leaf = pick())
        submit_leaf(leaf);
      else
        break;
    }
    return under_way_ != 0;
  }

  Node* pick() {
    if (stopped_ || (options_.max_executions != 0 && started_ == options_.max_executions))
      return nullptr;
    Node* leftmost = tree_.leftmost();
    if (leftmost == nullptr) return nullptr;
    stopped_ = options_.go_on && !options_.go_on(&tree_);
    if (stopped_) return nullptr;
    if (options_.save_now && options_.save_now()) {
      Result now = stopped();
      options_.on_save(std::move(now.left), std::move(now.aside));
    }
    if (!random_order()) return leftmost;
    std::swap(planned_[random_.below(planned_.size())], planned_.back());
    Node* leaf = planned_.back();
    planned_.pop_back();
    return leaf;
  }

  // What the moves of the tree do, the program is asked: it is run to where each branch ends.
  void resume(const SavedTree& saved) {
    tree_.restore(saved);
    const std::vector<Node*> ends = tree_.ends();
    for (std::size_t asked = 0, answered = 0; answered < ends.size(); ++answered) {
      for (; asked < ends.size() && under_way_ < runner_.capacity(); ++asked, ++under_way_) {
        const std::uint64_t ticket = new_ticket(Asked::end, ends[asked]);
        tree_.path_to(ends[asked], schedule_);
        runner_.submit({schedule_, Request::Then::stop, 0, ticket});
      }
      const Log& log = next();
      if (log.learned) throw Learned();
      Node* end = asked_[log.ticket].node;
      path_.lead_to(end);
      check_reaches(end, log);
      for (std::size_t k = 0; k < path_.size() && k < log.events.size(); ++k)
        path_[k]->head = log.events[k];
      give_back(log.ticket);
    }
    path_ = {};
    for (const SavedReversal& aside : options_.resume_aside) {
      Node* first = tree_.at(aside.path);
      const std::uint64_t ticket = new_ticket(Asked::reversal, first);
      for (const Move move : aside.v) asked_[ticket].v.push_back({.move = move});
      tree_.hold(first);
      aside_.push_back(ticket);
    }
  }

  void plan(Node* at, std::span<const Event> sequence) {
    Node* leaf = tree_.insert(at, sequence);
    // The last comes where others were before; of unordered writes, others may have come between.
    for (Node* n = leaf; n != at; n = n->parent) {
      n->vague = n->head.value != 0;
      if (Reduction::observers == Observers::no) break;
    }
    if (random_order()) planned_.push_back(leaf);
  }

  std::uint64_t new_ticket(typename Asked::What what, Node* node) {
    if (free_.empty()) {
      free_.push_back(asked_.size());
      asked_.emplace_back();
    }
    const std::uint64_t ticket = free_.back();
    free_.pop_back();
    asked_[ticket].what = what;
    asked_[ticket].node = node;
    asked_[ticket].v.clear();
    return ticket;
  }
  void give_back(std::uint64_t ticket) {
    asked_[ticket].what = Asked::nothing;
    free_.push_back(ticket);
  }

  // To run the program along the path to the leaf and on to its end.
  void submit_leaf(Node* leaf) {
    const std::uint64_t ticket = new_ticket(Asked::leaf, leaf);
    tree_.take(leaf);
    const std::size_t shared = submitted_.lead_to(leaf);
    moves_.resize(shared);
    for (const Node* node : submitted_.nodes().subspan(shared)) moves_.push_back(node->head.move);
    known_.resize(std::min(known_.size(), shared));
    for (const Node* node : submitted_.nodes().subspan(known_.size())) {
      if (node->vague) break;
      known_.push_back(node->head);
    }
    const std::uint64_t seed = random_order() ? random_.next() | 1 : 0;
    runner_.submit({moves_, Request::Then::go_on, seed, ticket, known_});
    ++started_;
  }

  // To run the program along a reversal, to see what its last event does there.
  void submit_reversal() {
    const std::uint64_t ticket = aside_.back();
    aside_.pop_back();
    tree_.path_to(asked_[ticket].node->parent, schedule_);
    for (const Event& e : asked_[ticket].v) schedule_.push_back(e.move);
    runner_.submit({schedule_, Request::Then::stop, 0, ticket});
  }

  const Log& next() {
    const Log& log = runner_.next();
    --under_way_;
    if (log.ending == Ending::misfit) {
      const Asked& asked = asked_[log.ticket];
      tree_.path_to(asked.what == Asked::reversal ? asked.node->parent : asked.node, schedule_);
      for (const Event& e : asked.v) schedule_.push_back(e.move);
      throw Misfit(schedule_, log.misfit_at, log.misfit);
    }
    return log;
  }

  void count(const Log& log) {
    counts_.transitions += log.events.size();
    counts_.count(log);
    if (options_.on_run) decision_ = options_.on_run(log);
  }

  // A run that ends before the node that it was to come to has a finding, which is why: it counts
  // as what it is, and there is nothing more to learn from it. False: it is one.
  bool check_reaches(const Node* node, const Log& log) {
    if (log.events.size() >= node->depth) return true;
    if (log.failed()) return false;
    tree_.path_to(node, schedule_);
    throw Misfit(schedule_, log.events.size(), "the program ends before");
  }

  void finish_leaf(Node* leaf, const Log& log) {
    count(log);
    if (!check_reaches(leaf, log)) return;
    add(leaf, log);
    for (const Race& race : execution_.races())  // l.2
      if (!planned_before(race, leaf)) reverse(race);
  }

  // Adds what the program did along the path to the leaf and on.
  void add(Node* leaf, const Log& log) {
    died_ = log.ending == Ending::died;
    const std::size_t shared = path_.lead_to(leaf);
    extend(leaf, log);
    execution_.assign(log.events, log.pending, std::min(shared, ordered_));
    put_to_sleep(shared);
    ordered_ = path_.size();
    HEDDLE_CHECK(sleepers_at_[path_.size()] == sleepers_.size());  // no run is redundant
  }

  void extend(Node* leaf, const Log& log) {
    for (std::size_t k = log.known; k < path_.size(); ++k) {  // planned events are what happens
      if (log.events[k].footprint != path_[k]->head.footprint) {
        tree_.path_to(leaf, schedule_);
        throw Misfit(schedule_, k, "it does something else");
      }
      path_[k]->head = log.events[k];
      path_[k]->vague = false;
    }
    Node* at = leaf;
    for (std::size_t k = path_.size(); k < log.events.size(); ++k) {
      const Event& event = log.events[k];
      Node* next = tree_.extend(at, event);
      path_.extend(next);
      plan_alternatives(next, event);
      at = next;
    }
  }

  // The same for the event before the last, where the last one is at its first alternative.
  void ask_for_next_but_one(Node* node, std::vector<Event> v) {
    const Event& event = v_[v_.size() - 2];
    if (!has_choices(event) || event.alternatives == 1) return;
    v[v.size() - 2].move.alternative = static_cast<std::uint16_t>(event.alternatives - 1);
    put_aside(node, v);
  }

  bool has_choices(const Event& event) const {
    return footprints_.varies(event.footprint) == Varies::choices;
  }

  // Where a run makes a data choice, its other alternatives are planned beside it.
  void plan_alternatives(Node* taken, const Event& event) {
    if (has_choices(event)) return ask_for_next(taken, {event}, event);
    for (std::uint16_t other = 0; event.alternatives > 1 && other < event.alternatives; ++other) {
      if (other == event.move.alternative) continue;
      Event alternative = event;
      alternative.move.alternative = other;
      plan(taken->parent, std::span(&alternative, 1));
    }
  }

  // Instead of v, behind what comes before the node, the sequence with the next alternative of its
  // last event, if it has one. What that does is not known: it is treated like a reversal, and asks
  // for the one after it when it is known.
  void ask_for_next(Node* node, std::vector<Event> v, const Event& last) {
    if (!has_choices(last) || last.alternatives == 1) return;
    v.back().move.alternative = static_cast<std::uint16_t>(last.alternatives - 1);
    put_aside(node, std::move(v));
  }

  // Brings the sleepers at each node of the path up to date, from where it left the one before.
  // Those before the k-th event are sleepers_[sleepers_at_[k]] to sleepers_[sleepers_at_[k + 1]].
  void put_to_sleep(std::size_t shared) {
    ordered_ = std::min(ordered_, shared);
    sleepers_.resize(shared + 1 < sleepers_at_.size() ? sleepers_at_[shared + 1] : 0);
    sleepers_at_.resize(shared + 1);
    for (std::size_t k = shared; k < path_.size(); ++k) {
      const std::size_t begin = sleepers_at_[k];
      const std::size_t end = sleepers_.size();
      sleepers_at_.push_back(end);
      const auto at = static_cast<std::uint32_t>(k);
      const Trail trail{path_.nodes(), {}, {}};
      const auto carry = [&](Sleeper s) {
        reduction_.advance(s, path_[k]->head, trail, at);
        if (s.state != Sleeper::State::awake) sleepers_.push_back(s);
      };
      for (std::size_t s = begin; s < end; ++s) carry(sleepers_[s]);
      for (const Node* left = first_branch(k); left != path_[k]; left = left->next)
        carry(Sleeper::of(left->head, at));
    }
    sleepers_at_.push_back(sleepers_.size());
  }

  Node* node_before(std::size_t k) { return k == 0 ? tree_.root() : path_[k - 1]; }
  Node* first_branch(std::size_t k) { return node_before(k)->first_child; }

  // A race of the part of the path that older leaves share, whose reversal could only repeat
  // theirs: everything this run added to that part happens after the race's first event, so v is no
  // more than a beginning of the v that was (or will be) planned from there. With observers, only
  // where v is the same.
  bool planned_before(const Race& race, const Node* leaf) const {
    if (Reduction::observers == Observers::yes) return execution_.is_repeated(race);
    return execution_.place_of(race.second) < leaf->attached_at &&
           execution_.before_all_from(race.first, leaf->attached_at);
  }

  // l.3. Nobody goes on after a step that ends the program: unless that is what the race is about,
  // it is left out, and comes later.
  void make_reversal(const Race& race, std::vector<Event>& v) {
    reduction_.reversal(execution_, race, v);
    if (died_ && race.second + 1 != path_.size()) leave_out_death(race, v);
    // All alternatives that there are follow, one after the other. Of the first event, too: that
    // one of them sleeps through the rest says nothing of the others.
    if (has_choices(v.back())) v.back().move.alternative = 0;
    if (!has_choices(path_[race.first]->head)) return;
    v.push_back(path_[race.first]->head);
    v.back().move.alternative = 0;
  }

  void leave_out_death(const Race& race, std::vector<Event>& v) {
    const ThreadId thread = path_[path_.size() - 1]->head.move.thread;
    const auto is_of_thread = [&](const Event& e) { return e.move.thread == thread; };
    std::ptrdiff_t own =
        0;  // of its events behind the first of the race, which are all in v or not
    for (std::size_t k = race.first + 1; k < path_.size(); ++k)
      if (is_of_thread(path_[k]->head)) ++own;
    if (std::ranges::count_if(v, is_of_thread) < own) return;
    const auto last = std::find_if(v.rbegin(), v.rend(), is_of_thread);
    if (last != v.rend() && last != v.rbegin()) v.erase(last.base() - 1);
  }

  void reverse(const Race& race) {
    make_reversal(race, v_);
    exact_ = is_known(race);
    // Though one alternative may be covered, others need not be.
    if (has_choices(v_.back()) || !insert_v(race.first)) {
      make_reversal(race, v_);  // v may have become shorter
      put_aside(path_[race.first], v_);
    }
  }

  // Whether it is known what the last event of v does there. If it can be told, it is.
  bool is_known(const Race& race) {
    Event& last = v_.back();
    const Varies varies = footprints_.varies(last.footprint);
    if (varies != Varies::mode || race.observed) return varies == Varies::no;
    const Trail trail{path_.nodes().first(race.first), {}, v_};
    const auto use = use_in_place_of(footprints_, path_[race.first]->head, last, trail,
                                     race.first + v_.size() - 1);
    if (!use) return false;
    if (*use == footprints_.accesses(last.footprint)[0]) return true;
    const auto there = runner_.with_use(last, *use);
    if (there) last = *there;
    return there.has_value();
  }

  // False if where it belongs hangs on what its last event does, and that is not known yet.
  bool insert_v(std::uint32_t at) {
    beyond_ = at;
    walked_.clear();
    if (const Answer covered = is_covered(at); covered != Answer::no)  // l.4
      return covered == Answer::yes;
    Node* node = node_before(at);
    Node* branch = path_[at]->next;
    for (;;) {  // l.5
      const Answer fits = find_sleeping(branch, nullptr, node->depth);
      if (fits == Answer::unknown) return false;
      if (fits == Answer::no) break;
      take_out_of_v(branch->head.move);  // l.6
      node = branch;
      walked_.push_back(node);
      if (node->leaf() || v_.empty()) return true;  // l.7
      branch = node->first_child;
    }
    if (!make_exact()) return false;
    plan(node, v_);  // l.8
    return true;
  }

  Answer is_covered(std::uint32_t at) {
    for (std::size_t s = sleepers_at_[at]; s < sleepers_at_[at + 1]; ++s)
      if (const Answer answer = sleeps_through_v(sleepers_[s]); answer != Answer::no) return answer;
    Node* left = first_branch(at);
    // The race was that of one alternative: with another, its first event may have nothing to do.
    return find_sleeping(left, has_choices(v_.back()) ? path_[at]->next : path_[at], at);
  }

  // Moves on from this branch to the first before `end` that sleeps through v.
  Answer find_sleeping(Node*& branch, const Node* end, std::uint32_t since) {
    for (; branch != end; branch = branch->next) {
      const Answer answer = sleeps_through_v(Sleeper::of(branch->head, since));
      if (answer != Answer::no) return answer;
    }
    return Answer::no;
  }

  void put_aside(Node* node, const std::vector<Event>& v) {
    const std::uint64_t ticket = new_ticket(Asked::reversal, node);
    asked_[ticket].v = v;
    tree_.hold(node);
    aside_.push_back(ticket);
  }

  // A reversal that was put aside, now that it has been run.
  void go_on_with(Node* node, const std::vector<Event>& v, const Log& log) {
    const std::size_t length = node->depth - 1 + v.size();
    if (log.events.size() < length && log.failed()) return count(log);
    // It would have to wait there: then what it waits for comes first, and that is another race.
    if (log.ending == Ending::misfit && log.misfit_at + 1 == length &&
        log.misfit.ends_with("waits"))
      return;
    if (log.events.size() != length) {
      tree_.path_to(node->parent, schedule_);
      for (const Event& e : v) schedule_.push_back(e.move);
      throw Misfit(schedule_, log.events.size(), "the program ends before");
    }
    put_to_sleep(path_.lead_to(node));
    v_.assign(log.events.end() - std::ssize(v), log.events.end());
    ask_for_next(node, v, v_.back());
    if (v.size() > 1 && v_.back().move.alternative == 0) ask_for_next_but_one(node, v);
    exact_ = true;
    insert_v(node->depth - 1);
  }

  Answer sleeps_through_v(const Sleeper& sleeper) {
    const Answer answer = ask(sleeper);
    return answer == Answer::unknown && make_exact() ? ask(sleeper) : answer;
  }

  // Whether the sleeper is still asleep, or covers all, after v.
  Answer ask(Sleeper sleeper) const {
    const Trail trail{path_.nodes().first(beyond_), walked_, v_};
    for (std::size_t k = 0; k < v_.size(); ++k) {
      if (!exact_ && k + 1 == v_.size() && in_doubt(sleeper)) return Answer::unknown;
      reduction_.advance(sleeper, v_[k], trail,
                         static_cast<std::uint32_t>(beyond_ + walked_.size() + k));
      if (sleeper.state == Sleeper::State::awake) return Answer::no;
      if (sleeper.state == Sleeper::State::covered) return Answer::yes;
    }
    return Answer::yes;
  }

  // The last event of v has not been run in this order: what it would do is known only in part.
  bool in_doubt(const Sleeper& sleeper) const {
    const Event& last = v_.back();
    if (sleeper.state != Sleeper::State::pledged && sleeper.move.thread == last.move.thread)
      return false;
    return footprints_.varies(last.footprint) >= Varies::anything ||
           footprints_.share_location(sleeper.footprint, last.footprint);
  }

  // Whether the last event of v is known. If nothing else could be under way, there is nothing to
  // go on with meanwhile, and the program is run along v at once.
  bool make_exact() {
    if (exact_ || capacity_ > 1) return exact_;
    schedule_.clear();
    for (std::size_t k = 0; k < beyond_; ++k) schedule_.push_back(path_[k]->head.move);
    for (const Node* n : walked_) schedule_.push_back(n->head.move);
    for (const Event& e : v_) schedule_.push_back(e.move);
    runner_.submit({schedule_, Request::Then::stop, 0, 0});
    ++under_way_;
    v_.back() = next().events.back();
    return exact_ = true;
  }

  void take_out_of_v(Move move) {
    const auto same = [&](const Event& e) { return e.move.thread == move.thread; };
    const auto found = std::ranges::find_if(v_, same);
    if (found == v_.end()) return;
    if (found + 1 == v_.end()) exact_ = true;
    v_.erase(found);
  }

  Runner& runner_;
  const Footprints& footprints_;
  Reduction reduction_;
  const ExploreOptions& options_;
  Random random_;
  std::size_t capacity_;
  Counts counts_;
  Tree tree_;
  Execution execution_;
  std::vector<Node*> planned_;  // leaves, where the order is random
  Schedule schedule_;

  // Of the leaf that was submitted last: where it is, its schedule, and what happens along that.
  Path submitted_;
  Schedule moves_;
  std::vector<Event> known_;

  std::vector<Asked> asked_;          // by ticket
  std::vector<std::uint64_t> free_;   // tickets that are in use no more
  std::vector<std::uint64_t> aside_;  // those of reversals, not submitted yet
  std::size_t under_way_ = 0;
  std::uint64_t started_ = 0;  // leaves
  bool stopped_ = false;
  Decision decision_ = Decision::proceed;  // of the run that came last

  // The current path, and who sleeps where on it.
  Path path_;
  std::vector<Sleeper> sleepers_;
  std::vector<std::size_t> sleepers_at_ = {0};
  std::size_t ordered_ = 0;  // how much of it the execution has

  // The current reversal, to come behind the first beyond_ events of the path and the nodes walked
  // through since.
  std::vector<Event> v_;
  std::size_t beyond_ = 0;
  std::vector<Node*> walked_;
  bool exact_ = true;
  bool died_ = false;  // the run that is being reversed
};

}  // namespace heddle
