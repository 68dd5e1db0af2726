#include "native/runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "base/check.hpp"

namespace heddle::native {
namespace {

// The number of events that are kept of a run that was cut off for its length. What comes later
// mostly repeats itself, and reversing its races would lead to runs that are as long. A hundredth
// of the default limit of steps.
constexpr std::size_t most_of_endless = 1000;

// While a run is in flight, others do not know the states that it comes to, and when they are told
// would depend on time. (So there are no savepoints, which are made for the request that follows.
// Most runs end soon after their schedule.)
constexpr std::size_t in_flight_with_states = 1;

// The move of the thread that was running towards a step when the process died, if the reply has
// all events before it.
std::optional<Move> dying_move_in(const abi::ReplyHeader& reply) {
  if (reply.going == 0 || reply.going_at != reply.event_count) return std::nullopt;
  return Move{static_cast<ThreadId>(reply.going), 0};
}

void note_death(const Fate& death, const abi::ReplyHeader& reply, Log& log) {
  log.ending = Ending::died;
  log.outcome = {FindingKind::died, 0, death.text, 0};
  log.outcome.dying_move = dying_move_in(reply);
  if (!log.events.empty()) log.outcome.thread = log.events.back().move.thread;
  if (log.outcome.dying_move) log.outcome.thread = log.outcome.dying_move->thread;
}

}  // namespace

NativeRunner::NativeRunner(Transport& worker, SharedNames& names, Knowledge& knowledge,
                           abi::Races races, std::uint64_t repeat_every, Cube cube)
    : worker_(worker),
      cube_(std::move(cube)),
      decoder_(names, knowledge, races),
      session_(worker, decoder_, repeat_every) {
  worker_.forget_known();
}

std::size_t NativeRunner::capacity() const {
  return compares_ ? std::min(session_.capacity(), in_flight_with_states) : session_.capacity();
}

Notes NativeRunner::notes() const {
  Notes out = notes_;
  if (session_.states_differ()) out.set |= abi::note_states_differ;
  return out;
}

// A wait may be for a thread that no run has created so far.
std::size_t NativeRunner::thread_count() const {
  std::size_t out = decoder_.thread_count();
  for (const Wait& w : cube_.waits)
    out = std::max({out, w.first.thread + std::size_t{1}, w.second.thread + std::size_t{1}});
  return out;
}

NativeRunner::~NativeRunner() {
  try {
    session_.drain();
  } catch (const Interrupted&) {  // the worker has started over; the next request throws it again
  } catch (const std::exception&) {  // it has been reported before
    worker_.start_over();
  }
}

void NativeRunner::submit(const Request& request) {
  compares_ = request.digests;
  if (request.until != nullptr) tell_known(*request.until);
  session_.submit(request,
                  request.then == Request::Then::stop ? abi::Then::stop : abi::Then::proceed);
}

// What a log has led to is known only if the exploration says so.
void NativeRunner::tell_known(const KnownStates& known) {
  for (const Digest& d : fresh_)
    if (known.has(d)) worker_.add_known(d.first);
  fresh_.clear();
}

const Log& NativeRunner::next() { return decode(session_.next()); }

const Log& NativeRunner::list_moves(std::span<const Move> schedule, std::span<const Event> known) {
  session_.submit({schedule, Request::Then::stop, 0, 0, known}, abi::Then::list);
  return next();
}

const Log& NativeRunner::decode(const Session::Answer& answer) {
  const abi::ReplyHeader& reply = answer.reply;
  decoder_.decode(reply, answer.known, run_);
  if (run_.log.learned) return run_.log;
  if (compares_) {
    complete_digests(answer.digest_from);
    place_stretches(answer.digest_from);
  }
  if (reply.finding == abi::Finding::endless)
    shorten(std::max(most_of_endless, answer.moves.size()));
  HEDDLE_CHECK(run_.log.known <= run_.log.events.size());
  notes_.add(reply);
  if (answer.death != nullptr) note_death(*answer.death, reply, run_.log);
  if (reply.ending == abi::Ending::unsupported) throw Unsupported{run_.log.outcome};
  return run_.log;
}

// Where there is none, the state is like no other.
void NativeRunner::complete_digests(std::size_t from) {
  const std::size_t wanted = run_.events.size() - std::min(run_.events.size(), from);
  HEDDLE_CHECK(run_.digests.size() <= wanted);
  run_.digests.resize(wanted);
  for (Digest& d : run_.digests) {
    if (d != Digest{}) fresh_.push_back(d);
    if (d != Digest{}) continue;
    ++unique_;
    d = {unique_ * 0x9e3779b97f4a7c15ULL, unique_};
  }
  run_.log.digests = run_.digests;
}

// What a run has told from its beginning on holds for all runs.
void NativeRunner::place_stretches(std::size_t from) {
  run_.stretches.assign(run_.digests.size(), Stretches::empty);
  for (const auto& [at, stretch] : run_.told)
    (at == 0 ? beginning_ : run_.stretches[at - from - 1]) = stretch;
  run_.log.stretches = run_.stretches;
  run_.log.beginning = beginning_;
}

// As the worker would say it (note_data_race).
std::optional<Outcome> NativeRunner::settle_race(const RacingPair& race) {
  if (!decoder_.is_finding(race)) {
    decoder_.make_visible(race);
    return std::nullopt;
  }
  std::uint64_t memory = 0;
  for_memory(race, [&](std::uint64_t m) { memory = memory == 0 ? m : memory; });
  const std::uint64_t address = (memory >> abi::mask_bits << abi::granule_bits) +
                                static_cast<unsigned>(std::countr_zero(memory & 0xff));
  return Outcome{FindingKind::data_race, 0,
                 fmt::format("two threads use {{{:#x}}}, and at least one changes it, without "
                             "synchronisation",
                             address),
                 decoder_.stretches().place_of(race.second).site};
}

void NativeRunner::add_races(SeenRaces& to) const {
  for (const RacingPair& race : run_.races) add_race(race, to);
}

void NativeRunner::add_race(const RacingPair& race, SeenRaces& to) const {
  const auto side = [&](const PlainAccess& a) {
    return SeenRace::Side{decoder_.stretches().place_of(a).site, a.writes, a.atomic};
  };
  const auto [one, other] = std::minmax(side(race.first), side(race.second));
  for_memory(race, [&](std::uint64_t memory) { to.insert({memory, one, other}); });
}

void NativeRunner::shorten(std::size_t events) {
  if (run_.events.size() <= events) return;
  if (compares_) {
    run_.digests.resize(run_.digests.size() - (run_.events.size() - events));
    run_.stretches.resize(run_.digests.size());
  }
  run_.log.digests = run_.digests;
  run_.log.stretches = run_.stretches;
  run_.events.resize(events);
  std::erase_if(run_.pending, [&](const Pending& p) { return p.at > events; });
  run_.log.events = run_.events;
  run_.log.pending = run_.pending;
}

bool NativeRunner::repeats(std::span<const Move> schedule) {
  session_.drain();
  session_.repeat_next();
  submit({schedule, Request::Then::proceed, 0, 0});
  try {
    const Log& log = next();
    if (log.learned) return false;
    const bool fits = log.ending != Ending::diverged;
    session_.finish();
    return fits;
  } catch (const Nondeterminism&) {
    return false;
  }
}

Explanation NativeRunner::explain(std::span<const Move> schedule) {
  return run_alone(schedule, abi::Then::explain);
}
Explanation NativeRunner::run_alone(std::span<const Move> schedule) {
  return run_alone(schedule, abi::Then::proceed);
}

Explanation NativeRunner::run_alone(std::span<const Move> schedule, abi::Then then) {
  const Session::Answer answer = session_.run_alone(schedule, then);
  if (answer.death != nullptr) {
    if (decode(answer).learned) throw Learned();
    Explanation out = decoder_.unfinished_details(answer.reply);
    out.come.assign(answer.come.begin(), answer.come.end());
    out.outcome = run_.log.outcome;
    return out;
  }
  HEDDLE_CHECK(answer.known.empty());
  // The schedule may come from an exploration that already knew this.
  if (decoder_.learn_semaphores(answer.reply)) throw Learned();
  Explanation out = decoder_.details(answer.reply);
  out.come.assign(answer.come.begin(), answer.come.end());
  if (answer.reply.ending == abi::Ending::unsupported) throw Unsupported{out.outcome};
  return out;
}

}  // namespace heddle::native
