#include "parallel/dispatcher.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include "base/check.hpp"
#include "parallel/policy.hpp"

namespace heddle::parallel {

Dispatcher::Dispatcher(std::size_t engines, std::vector<Item> open, std::uint64_t runs,
                       std::size_t processors, const Division& division)
    : engines_(engines), at_once_(std::min(engines, processors)), division_(division), runs_(runs) {
  HEDDLE_CHECK(at_once_ > 0);
  for (Item& item : open) {
    if (item.estimate <= 0) item.estimate = 1;  // it is not known
    all_ += item.estimate;
    put(std::move(item));
  }
}

void Dispatcher::put(Item item) {
  rest_open_ += item.estimate;
  const Rank rank{-static_cast<int>(item.deaths), item.estimate};
  open_.emplace(rank, std::move(item));
}

// The largest, so that those that come last are small. A cube that engines died of comes after all
// others: if another process kills one engine after the other, it is not always the same that
// loses.
Item Dispatcher::take_next() {
  const auto next = std::prev(open_.end());
  Item out = std::move(next->second);
  rest_open_ -= out.estimate;
  open_.erase(next);
  if (open_.empty()) rest_open_ = 0;  // whatever was lost by rounding
  return out;
}

void Dispatcher::set_rest(Engine& e, double rest) {
  rest_explored_ += rest - e.rest;
  e.rest = rest;
}

double Dispatcher::rest() const {
  return std::max(forecast_.runs(rest_open_) + rest_explored_, 0.0);
}

void Dispatcher::tell(std::size_t engine, const Told& told) {
  Engine& e = engines_[engine];
  HEDDLE_CHECK(e.state == State::exploring);
  made_ += static_cast<double>(told.runs) - static_cast<double>(e.told.runs);
  discarded_ += static_cast<double>(told.discarded) - static_cast<double>(e.told.discarded);
  e.told = told;
  if (told.runs < enough_to_judge) return;
  judge(e);
  heard_.push_back(engine);
}

// Estimates say how large it should be, its tree how large it is at least.
void Dispatcher::judge(Engine& e) {
  const double all = std::max(e.told.outlook, forecast_.runs(e.item.estimate));
  set_rest(e, std::max(all - static_cast<double>(e.told.runs), 0.0));
}

void Dispatcher::ask_for_runs(std::size_t engine) {
  Engine& e = engines_[engine];
  HEDDLE_CHECK(e.state == State::exploring);
  const std::uint64_t runs = stops_ ? 0 : grant(e);
  grants_.push_back({.engine = engine, .what = Order::What::runs, .runs = runs});
}

// There is something for those that ask later, too.
std::uint64_t Dispatcher::grant(Engine& e) {
  if (runs_ == Look::any_number) return runs_;
  const std::uint64_t shares = 2 * engines_.size();
  const std::uint64_t runs = (runs_ + shares - 1) / shares;
  e.granted += runs;
  runs_ -= runs;
  return runs;
}

// What was granted and not used, or used in vain, can be used by others.
Item Dispatcher::end(Engine& e, std::uint64_t used) {
  HEDDLE_CHECK(e.state != State::idle);
  if (runs_ != Look::any_number) runs_ += e.granted - std::min(used, e.granted);
  set_rest(e, 0);
  Item out = std::move(e.item);
  e = Engine();
  if (--working_ == 0) rest_explored_ = 0;
  return out;
}

void Dispatcher::complete(std::size_t engine, std::uint64_t runs) {
  Engine& e = engines_[engine];
  HEDDLE_CHECK(e.state == State::exploring);
  forecast_.note(e.item.estimate, static_cast<double>(std::max(runs, e.told.runs)));
  end(e, runs);
}

void Dispatcher::put_back(std::size_t engine, Json partial, std::uint64_t runs) {
  Engine& e = engines_[engine];
  const double outlook = forecast_.estimate(e.told.outlook);
  Item item = end(e, runs);
  item.estimate = std::max(item.estimate, outlook);
  if (!partial.is_null()) item.partial = std::move(partial);
  put(std::move(item));
}

void Dispatcher::split(std::size_t engine, const std::optional<Halves>& halves, Why why) {
  Engine& e = engines_[engine];
  const double done = static_cast<double>(e.told.runs);
  if (why == Why::too_large) forecast_.note_too_large(e.item.estimate, done);
  thrown_away_ += e.told.runs;
  const bool explored = e.state == State::exploring;
  const double given_up = e.item.given_up + (explored ? now_ - e.since : 0);
  const unsigned times = e.item.times_given_up + (explored ? 1 : 0);
  Item item = end(e, 0);
  if (!halves) {
    item.divisible = false;
    return put(std::move(item));
  }
  // It has more than were made.
  double all = item.estimate;
  if (forecast_.is_known()) all = std::max(all, forecast_.estimate(2 * done));
  in_vain_ += item.estimate * halves->in_vain;
  for (const std::string& half : {halves->first, halves->second})
    put({.cube = half, .estimate = all / 2, .times_given_up = times, .given_up = given_up});
}

unsigned Dispatcher::lose(std::size_t engine) {
  Engine& e = engines_[engine];
  if (e.state == State::idle) return 0;
  thrown_away_ += e.told.runs;
  Item item = end(e, 0);
  const unsigned deaths = ++item.deaths;
  put(std::move(item));
  return deaths;
}

std::vector<Item> Dispatcher::left() const {
  std::vector<Item> out;
  for (const auto& [rank, item] : open_) out.push_back(item);
  for (const Engine& e : engines_)
    if (e.state != State::idle) out.push_back(e.item);
  for (Item& item : out) item.estimate = forecast_.runs(item.estimate);
  return out;
}

std::vector<Order> Dispatcher::orders() {
  std::vector<Order> out;
  // Those that have ended meanwhile have no use for runs.
  for (Order& order : std::exchange(grants_, {}))
    if (is_exploring(order.engine)) out.push_back(std::move(order));
  if (stops_) {
    stop_all(out);
  } else {
    hand_out(out);
    split_large(out);
    split_for_hungry(out);
  }
  return out;
}

void Dispatcher::stop_all(std::vector<Order>& orders) {
  heard_.clear();
  for (std::size_t k = 0; k < engines_.size(); ++k)
    if (has_cube(k) && !std::exchange(engines_[k].stopped, true))
      orders.push_back({.engine = k, .what = Order::What::stop});
}

void Dispatcher::hand_out(std::vector<Order>& orders) {
  for (std::size_t k = 0; k < engines_.size(); ++k) {
    if (open_.empty() || runs_ == 0 || working_ >= at_once_) return;
    if (!has_cube(k)) orders.push_back(begin(k));
  }
}

Order Dispatcher::begin(std::size_t engine) {
  Engine& e = engines_[engine];
  const Item& next = std::prev(open_.end())->second;
  const bool splits = next.divisible && next.partial.is_null() && is_too_large(next);
  e.item = take_next();
  e.state = splits ? State::splitting : State::exploring;
  e.since = now_;
  set_rest(e, forecast_.runs(e.item.estimate));
  ++working_;
  return {.engine = engine,
          .what = splits ? Order::What::split : Order::What::explore,
          .item = e.item,
          .runs = splits ? 0 : grant(e)};
}

// More than this is too much for one engine: what is left is shared by all, in several parts each.
// They become smaller as less is left, down to what is not worth splitting.
double Dispatcher::share() const {
  if (engines_.size() == 1) return std::numeric_limits<double>::infinity();
  // Once some cubes are done, they say more than what random runs told.
  const double in_vain =
      std::max(forecast_.is_known() && made_ > 0 ? discarded_ / made_ : in_vain_ / all_,
               division_.in_common);
  return rest() / (parts_per_share(at_once_, in_vain) * static_cast<double>(at_once_));
}

bool Dispatcher::is_too_large(const Item& item) const {
  // Others have waited while all of it was explored by one engine.
  if (item.cube.empty() && engines_.size() > 1) return true;
  const double made = made_ / static_cast<double>(at_once_);
  const double least =
      forecast_.is_known() ? std::max(worth_splitting, worth_waiting_for * made) : 0;
  return forecast_.runs(item.estimate) > std::min(std::max(share(), least), forecast_.fits());
}

bool Dispatcher::is_too_large(const Engine& e) const {
  constexpr unsigned surprises = 4;
  if (e.state != State::exploring || e.asked || !e.told.divisible) return false;
  if (is_too_long(e)) return true;
  if (e.item.times_given_up >= surprises && !may_be_given_up(e)) return false;
  const double done = static_cast<double>(e.told.runs);
  if (!forecast_.is_known() || done > most_lost * e.rest) return false;
  if (done + e.rest > forecast_.outgrows()) return true;
  // It is a whole share of an engine after all.
  const bool large = e.rest > parts_per_share(at_once_) * share();
  return large && e.rest * (now_ - e.since) / done > alone_for;
}

// What is done of it would be lost.
bool Dispatcher::is_too_long(const Engine& e) const {
  return now_ - e.since > std::max(division_.longest, e.item.given_up);
}

void Dispatcher::split_large(std::vector<Order>& orders) {
  for (const std::size_t k : std::exchange(heard_, {})) {
    if (!is_too_large(engines_[k])) continue;
    engines_[k].asked = true;
    orders.push_back({.engine = k, .what = Order::What::give_up});
  }
}

// There are programs of which each pair of steps makes a half of one run, and one of all others:
// what was given up to share it is given up again only after it has been explored for longer.
bool Dispatcher::may_be_given_up(const Engine& e) const {
  return e.told.divisible && now_ - e.since >= e.item.given_up;
}

// If there is nothing to do for some engines, and too much for others.
void Dispatcher::split_for_hungry(std::vector<Order>& orders) {
  const std::size_t hungry = at_once_ - working_;
  if (hungry == 0 || !open_.empty() || runs_ == 0) {
    hungry_since_ = now_;
    return;
  }
  std::size_t coming = 0;  // halves, of which one is for an engine that has nothing
  std::vector<std::size_t> candidates;
  for (std::size_t k = 0; k < engines_.size(); ++k) {
    const Engine& e = engines_[k];
    if (e.state == State::splitting || e.asked)
      ++coming;
    else if (e.state == State::exploring && may_be_given_up(e))
      candidates.push_back(k);
  }
  std::ranges::sort(candidates, std::greater(), [&](std::size_t k) { return engines_[k].rest; });
  for (const std::size_t k : candidates) {
    if (coming >= hungry) return;
    Engine& e = engines_[k];
    const double done = static_cast<double>(e.told.runs);
    const Busy busy{done, done + e.rest, now_ - e.since, division_.in_common};
    if (!is_worth_splitting(busy, hungry - coming, now_ - hungry_since_)) return;
    e.asked = true;
    ++coming;
    orders.push_back({.engine = k, .what = Order::What::give_up});
  }
}

}  // namespace heddle::parallel
