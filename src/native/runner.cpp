#include "native/runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/check.hpp"
#include "native/reply.hpp"

namespace heddle::native {
namespace {

constexpr FootprintId not_named = ~FootprintId{0};
constexpr std::size_t most_under_way = 64;
// Of a run that is cut off for its length: what comes later only repeats itself, and would lead to
// runs that are as long.
constexpr std::size_t most_of_endless = 1000;
constexpr std::uint64_t bytes_under_way = abi::window_of(abi::reply_ring_bytes) / 2;

abi::WireEvent wire(const Event& e) { return {{e.move.thread, e.move.alternative}, e.site}; }

bool same(const abi::WireEvent& a, const abi::WireEvent& b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

std::optional<std::uint64_t> value_of(const abi::ReplyHeader& reply) {
  if ((reply.notes & abi::note_outcome) == 0) return std::nullopt;
  return reply.outcome;
}

}  // namespace

NativeRunner::NativeRunner(Worker& worker, Knowledge& knowledge, std::uint64_t repeat_every)
    : worker_(worker),
      knowledge_(knowledge),
      repeat_every_(repeat_every),
      locations_(knowledge),
      capacity_(most_under_way) {}

NativeRunner::~NativeRunner() {
  try {
    drain();
  } catch (const Interrupted&) {     // the worker has started over, and who asks next hears it
  } catch (const std::exception&) {  // which has been said before
    worker_.start_over();
  }
}

void NativeRunner::submit(const Request& request) {
  submit(request, request.then == Request::Then::stop ? abi::Then::stop : abi::Then::go_on);
}

const Log& NativeRunner::look(std::span<const Move> schedule, std::span<const Event> known) {
  submit({schedule, Request::Then::stop, 0, 0, known}, abi::Then::look);
  return next();
}

void NativeRunner::submit(const Request& request, abi::Then then) {
  if (request.schedule.size() > abi::max_steps)
    throw Misuse("the schedule is longer than a run may be");
  const bool repeat = runs_++ % repeat_every_ == 0;
  for (int copy = 0; copy < (repeat ? 2 : 1); ++copy) {
    Asked asked;
    if (!unused_.empty()) {
      asked = std::move(unused_.back());
      unused_.pop_back();
    }
    asked.moves.assign(request.schedule.begin(), request.schedule.end());
    asked.known.clear();
    asked.known_hash = 0;
    if (copy == 0) keep_known(request.known, asked);
    asked.header = {request.ticket,
                    request.seed,
                    then,
                    static_cast<std::uint32_t>(request.schedule.size()),
                    static_cast<std::uint32_t>(asked.known.size()),
                    ++serial_};
    asked.again = copy == 1;
    asked_.push_back(std::move(asked));
    send(asked_.back());
  }
}

// Time-outs are told, as who waits then is told with them.
void NativeRunner::keep_known(std::span<const Event> known, Asked& asked) {
  const auto differs = std::ranges::mismatch(known, last_known_).in1;
  last_known_.resize(static_cast<std::size_t>(differs - known.begin()));
  hashes_.resize(last_known_.size() + 1);
  for (auto e = differs; e != known.end() && !footprints_.times_out(e->footprint); ++e) {
    last_known_.push_back(*e);
    hashes_.push_back(abi::hash_after(hashes_.back(), wire(*e)));
  }
  asked.known = last_known_;
  asked.known_hash = hashes_.back();
}

void NativeRunner::send(const Asked& asked) {
  while (!worker_.send(asked.header, asked.moves)) {
    if (worker_.under_way() == 0) {  // it is about to make room, unless it was killed meanwhile
      if (worker_.has_died()) worker_.start_over();
      continue;
    }
    const abi::ReplyHeader* reply = worker_.receive();
    if (reply == nullptr) return;  // seen again when its reply is asked for
    keep(*reply);
    worker_.take(*reply);
  }
}

void NativeRunner::keep(const abi::ReplyHeader& reply) {
  std::vector<std::uint64_t> copy(reply.bytes / 8);
  std::memcpy(copy.data(), &reply, reply.bytes);
  kept_.push_back(std::move(copy));
}

const abi::ReplyHeader* NativeRunner::receive() {
  if (!kept_.empty()) return reinterpret_cast<const abi::ReplyHeader*>(kept_.front().data());
  return worker_.receive();
}

void NativeRunner::done(const abi::ReplyHeader& reply) {
  if (!kept_.empty())
    kept_.pop_front();
  else
    worker_.take(reply);
  unused_.push_back(std::move(asked_.front()));
  asked_.pop_front();
}

const Log& NativeRunner::next() {
  for (;;) {
    HEDDLE_CHECK(!asked_.empty());
    const abi::ReplyHeader* reply = answer();
    if (reply == nullptr) return log_;
    if (asked_.front().again) {
      check_same(*reply);
      done(*reply);
      continue;
    }
    if (asked_.size() > 1 && asked_[1].again) keep_first_run(*reply);
    if (reply->known_hash != asked_.front().known_hash && reply->ending != abi::Ending::misfit) {
      ask_for_all(*reply);
      continue;
    }
    decode(*reply);
    done(*reply);
    return log_;
  }
}

// What two runs of one schedule must have in common, all of it, though some may be known.
void NativeRunner::keep_first_run(const abi::ReplyHeader& reply) {
  const std::vector<Event>& known = asked_.front().known;
  first_run_.clear();
  for (std::size_t k = 0; k < known.size() && k < reply.event_count; ++k)
    first_run_.push_back(wire(known[k]));
  const auto sent = ReplyReader(reply).events(reply, known.size());
  first_run_.insert(first_run_.end(), sent.begin(), sent.end());
  first_finding_ = reply.finding;
  first_value_ = value_of(reply);
}

// What was known is not what happened: it is asked again, with nothing known, if it has not been.
void NativeRunner::ask_for_all(const abi::ReplyHeader& reply) {
  Asked asked = asked_.front();
  done(reply);
  if (!asked_.empty() && asked_.front().again) {
    asked_.front().again = false;
    return;
  }
  asked.forget_known();
  asked.header.serial = ++serial_;
  asked_.push_back(std::move(asked));
  send(asked_.back());
}

void NativeRunner::Asked::forget_known() {
  known.clear();
  known_hash = 0;
  header.known_count = 0;
}

void NativeRunner::finish() {
  // Unless it was given up.
  while (!asked_.empty() && asked_.front().again && (!kept_.empty() || worker_.under_way() != 0)) {
    const abi::ReplyHeader* reply = answer();
    if (reply == nullptr) return;
    check_same(*reply);
    done(*reply);
  }
}

void NativeRunner::check_same(const abi::ReplyHeader& reply) {
  const std::span<const abi::WireEvent> run = ReplyReader(reply).events(reply, 0);
  if (std::ranges::equal(run, first_run_, same) && reply.finding == first_finding_ &&
      value_of(reply) == first_value_)
    return;
  const auto parting = std::ranges::mismatch(run, first_run_, same).in1;
  Nondeterminism differs{0, 0, asked_.front().moves};
  for (auto at = run.begin(); at != run.end() && at <= parting; ++at) {
    differs.site = worker_.step(at->step).head.site;
    differs.step += (at->step & abi::waits_bit) == 0 && at != parting ? 1 : 0;
  }
  throw differs;
}

bool NativeRunner::repeats(std::span<const Move> schedule) {
  drain();
  runs_ = 0;  // so that it is run twice
  submit({schedule, Request::Then::go_on, 0, 0});
  try {
    next();
    if (!asked_.empty()) {  // unless it died, each time
      const abi::ReplyHeader* again = answer();
      if (again == nullptr) return false;
      check_same(*again);
    }
    return log_.ending != Ending::misfit;
  } catch (const Nondeterminism&) {
    return false;
  }
}

void NativeRunner::decode(const abi::ReplyHeader& reply) {
  learn_threads(reply);
  learn_semaphores(reply);
  learn_block_choices(reply);
  ReplyReader reader(reply);
  const std::vector<Event>& known = asked_.front().known;
  events_.assign(known.begin(),
                 known.begin() + std::min<std::ptrdiff_t>(reply.event_count, std::ssize(known)));
  pending_.clear();
  choices_.clear();
  choosers_.clear();
  for (const abi::WireEvent& e : reader.events(reply, known.size())) {
    const std::uint32_t step = e.step & ~abi::waits_bit;
    const auto [footprint, value] = step_of(step);
    const std::uint16_t alternatives = worker_.step(step).head.alternatives;
    if (e.step == step) {
      events_.push_back(
          {{e.move.thread, e.move.alternative}, footprint, step, alternatives, value});
      continue;
    }
    const auto can = static_cast<abi::Can>(e.move.alternative);
    for (std::uint16_t k = 0; can == abi::Can::go_on && k < alternatives; ++k)
      choices_.push_back({e.move.thread, k});
    if (can == abi::Can::go_on && footprints_.varies(footprint) == Varies::choices)
      choosers_.push_back(e.move.thread);
    if (can == abi::Can::go_on) continue;
    if (can == abi::Can::give_up) choices_.push_back({e.move.thread, 1});
    pending_.push_back(
        {e.move.thread, footprint, static_cast<std::uint32_t>(events_.size()), step});
  }
  if (reply.finding == abi::Finding::endless)
    shorten(std::max(most_of_endless, asked_.front().moves.size()));
  const auto races = reader.several<abi::WireRace>(reply.race_count);
  if (!races.empty()) learn(races);
  outcome_.finding = reply.finding;
  outcome_.value = value_of(reply);
  dying_move_.reset();
  notes_.set |= reply.notes;
  if ((reply.notes & abi::note_spin) != 0) ++notes_.cut_off;
  if (notes_.leaked_at == 0) notes_.leaked_at = reply.leaked_at;
  if (notes_.never_joined == 0) notes_.never_joined = reply.never_joined;
  notes_.note_held(reply.held, reply.held_at);
  if (reply.bound != abi::Bound::none) notes_.note_bound(1, reply.bound, reply.held_at);
  notes_.note_left_blocked(reply.left_blocked, reply.left_blocked_at);
  log_.ticket = reply.ticket;
  log_.ending = ending_of(reply.ending);
  log_.misfit_at = reply.misfit_at;
  log_.events = events_;
  log_.known = std::min<std::size_t>(reply.event_count, known.size());
  log_.pending = pending_;
  log_.finding = reply.finding != abi::Finding::none && reply.finding != abi::Finding::deadlock;
  capacity_ = std::clamp<std::size_t>(bytes_under_way / reply.bytes, 2, most_under_way);
  if (reply.text_bytes != 0) {
    outcome_.text = reader.text(reply.text_bytes);
    outcome_.thread = reply.finding_thread;
    outcome_.site = reply.site;
    if (reply.ending == abi::Ending::misfit) log_.misfit = outcome_.text;
  }
  if (reply.ending == abi::Ending::unsupported) throw Unsupported{outcome_};
}

void NativeRunner::shorten(std::size_t events) {
  if (events_.size() <= events) return;
  events_.resize(events);
  std::erase_if(pending_, [&](const Pending& p) { return p.at > events; });
}

void NativeRunner::learn_threads(const abi::ReplyHeader& reply) {
  if (reply.threads <= knowledge_.threads) return;
  knowledge_.threads = reply.threads;
  throw Learned();
}

void NativeRunner::learn_semaphores(const abi::ReplyHeader& reply) {
  if ((reply.notes & abi::note_semaphore_value) == 0 || knowledge_.semaphore_values) return;
  knowledge_.semaphore_values = true;
  throw Learned();
}

void NativeRunner::learn_block_choices(const abi::ReplyHeader& reply) {
  if ((reply.notes & abi::note_block_choice) == 0 || knowledge_.block_choices) return;
  knowledge_.block_choices = true;
  throw Learned();
}

void NativeRunner::learn(std::span<const abi::WireRace> races) {
  const std::size_t before = knowledge_.visible.size();
  const bool explores = worker_.settings().races == abi::Races::explore;
  for (const abi::WireRace& race : races) {
    if (!explores && race.sort == abi::RaceSort::finding) continue;
    knowledge_.visible.insert(race.memory);
    if (!explores && race.sort == abi::RaceSort::benign)
      knowledge_.benign.insert(std::minmax(race.first_site, race.second_site));
  }
  if (knowledge_.too_much_visible())
    throw Misuse(
        "more memory that is accessed plainly has to be explored than can be: it races, or it is "
        "also written atomically ('--algorithm optimal' needs only the former)");
  if (knowledge_.visible.size() != before) throw Learned();
}

bool NativeRunner::is_named(std::uint32_t name) const {
  return name < steps_.size() && steps_[name].footprint != not_named;
}

const NativeRunner::Step& NativeRunner::step_of(std::uint32_t name) {
  if (is_named(name)) return steps_[name];
  if (name >= steps_.size()) steps_.resize(name + 1, {not_named, 0});
  const StepTable::Step step = worker_.step(name);
  accesses_.clear();
  for (const abi::WireAccess& a : step.accesses) accesses_.push_back(locations_.access(a));
  steps_[name] = {footprints_.intern(accesses_, static_cast<Varies>(step.head.varies)),
                  value_in(step)};
  return steps_[name];
}

// Only if it is that of all that the step uses. (If it used more than that, there is more than one
// access.)
std::uint16_t NativeRunner::value_in(const StepTable::Step& step) {
  if (step.head.valued == 0 || !locations_.is_whole(step.accesses[0])) return 0;
  for (const Access& a : std::span(accesses_).subspan(1))
    if (!tells_of_thread(a.mode)) return 0;
  const abi::WireAccess& access = step.accesses[0];
  return name_of_value(std::uint64_t{access.b} << 32 | access.a);
}

// Those that come when there are no names left have none.
std::uint16_t NativeRunner::name_of_value(std::uint64_t value) {
  constexpr std::size_t most = 0xffff;
  const auto known = value_names_.find(value);
  if (known != value_names_.end()) return known->second;
  if (value_names_.size() == most) return 0;
  const auto name = static_cast<std::uint16_t>(value_names_.size() + 1);
  value_names_.emplace(value, name);
  return name;
}

std::optional<Event> NativeRunner::with_use(const Event& event, const Access& use) {
  const std::uint32_t name = worker_.step_with_use(event.site, use);
  if (name == 0) return std::nullopt;
  Event out = event;
  out.site = name;
  out.footprint = step_of(name).footprint;
  return out;
}

void NativeRunner::drain() {
  while (!asked_.empty()) {
    const abi::ReplyHeader* reply = receive();
    if (reply == nullptr || !is_possible(*reply, asked_.front())) {
      worker_.start_over();
      asked_.clear();
      kept_.clear();
      return;
    }
    done(*reply);
  }
}

Explanation NativeRunner::explain(std::span<const Move> schedule) {
  return run_alone(schedule, abi::Then::explain);
}
Explanation NativeRunner::run_alone(std::span<const Move> schedule) {
  return run_alone(schedule, abi::Then::go_on);
}

Explanation NativeRunner::run_alone(std::span<const Move> schedule, abi::Then then) {
  drain();
  Asked asked;
  asked.moves.assign(schedule.begin(), schedule.end());
  asked.header = {0, 0, then, static_cast<std::uint32_t>(schedule.size()), 0, ++serial_};
  asked_.push_back(std::move(asked));
  send(asked_.back());
  const abi::ReplyHeader* reply = answer();
  if (reply == nullptr) return std::move(unfinished_);
  learn_semaphores(*reply);  // a schedule may have been made by who knew
  Explanation out = read_explanation(*reply, worker_);
  const bool unsupported = reply->ending == abi::Ending::unsupported;
  done(*reply);
  if (unsupported) throw Unsupported{out.outcome};
  return out;
}

}  // namespace heddle::native
