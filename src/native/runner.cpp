#include "native/runner.hpp"

#include <algorithm>
#include <cstring>

#include "base/check.hpp"
#include "base/hash.hpp"
#include "native/reply.hpp"

namespace heddle::native {
namespace {

constexpr unsigned recent_bits = 12;
constexpr std::size_t recent_size = std::size_t{1} << recent_bits;
constexpr std::uint64_t repeat_every = 1024;  // runs
constexpr std::size_t most_under_way = 64;
constexpr std::uint64_t bytes_under_way = abi::reply_ring_bytes / 4;

Ending ending_of(abi::Ending ending) {
  switch (ending) {
    case abi::Ending::complete:
      return Ending::complete;
    case abi::Ending::deadlock:
      return Ending::deadlock;
    case abi::Ending::assumed:
      return Ending::assumed;
    case abi::Ending::misfit:
      return Ending::misfit;
    default:
      return Ending::stopped;
  }
}

// The highest bits depend on all of the object.
std::size_t place_of(const abi::WireAccess& access) {
  constexpr std::uint64_t odd = 0x9e3779b97f4a7c15ULL;
  return (access.object ^ access.a * odd) * odd >> (64 - recent_bits);
}

// What two runs of one schedule must have in common: their events, and how they end.
std::span<const char> essence(const abi::ReplyHeader& reply) {
  ReplyReader reader(reply);
  const char* begin = reader.at();
  reader.events(reply, [](auto&, auto) {});
  return {begin, reader.at()};
}

std::size_t parting(std::span<const char> first, const abi::ReplyHeader& second,
                    std::uint64_t& site) {
  const std::span<const char> other = essence(second);
  const auto at = static_cast<std::size_t>(std::ranges::mismatch(first, other).in2 - other.begin());
  ReplyReader reader(second);
  const char* begin = reader.at();
  std::size_t step = 0;
  reader.events(second, [&](const abi::WireEvent& e, auto) {
    if (reinterpret_cast<const char*>(&e) - begin > static_cast<std::ptrdiff_t>(at)) return;
    site = e.site;
    step += e.waits != 0 ? 0 : 1;
  });
  return step == 0 ? 0 : step - 1;
}

}  // namespace

NativeRunner::NativeRunner(Worker& worker, Knowledge& knowledge)
    : worker_(worker),
      knowledge_(knowledge),
      locations_(knowledge),
      capacity_(most_under_way),
      recent_(recent_size) {}

NativeRunner::~NativeRunner() {
  try {
    drain();
  } catch (const Misuse&) {  // which has been said before
    worker_.start_over();
  }
}

void NativeRunner::submit(const Request& request) {
  if (request.schedule.size() > abi::max_steps)
    throw Misuse("the schedule is longer than a run may be");
  const bool repeat = runs_++ % repeat_every == 0;
  for (int copy = 0; copy < (repeat ? 2 : 1); ++copy) {
    Asked asked;
    if (!unused_.empty()) {
      asked = std::move(unused_.back());
      unused_.pop_back();
    }
    asked.moves.assign(request.schedule.begin(), request.schedule.end());
    asked.header = {request.ticket, request.seed,
                    request.then == Request::Then::stop ? abi::Then::stop : abi::Then::go_on,
                    static_cast<std::uint32_t>(request.schedule.size())};
    asked.again = copy == 1;
    asked.retried = false;
    asked_.push_back(std::move(asked));
    send(asked_.back());
  }
}

void NativeRunner::send(const Asked& asked) {
  while (!worker_.send(asked.header, asked.moves)) {
    const abi::ReplyHeader* reply = worker_.receive();
    if (reply == nullptr) return;  // seen again when its reply is asked for
    std::vector<std::uint64_t> copy(reply->bytes / 8);
    std::memcpy(copy.data(), reply, reply->bytes);
    kept_.push_back(std::move(copy));
    worker_.take(*reply);
  }
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
    const abi::ReplyHeader* reply = receive();
    if (reply == nullptr) {
      if (recover()) return log_;
      continue;
    }
    if (asked_.front().again) {
      check_same(*reply);
      done(*reply);
      continue;
    }
    if (asked_.size() > 1 && asked_[1].again) {
      const std::span<const char> run = essence(*reply);
      first_run_.assign(run.begin(), run.end());
    }
    decode(*reply);
    done(*reply);
    return log_;
  }
}

void NativeRunner::finish() {
  while (!asked_.empty() && asked_.front().again) {
    const abi::ReplyHeader* reply = receive();
    if (reply == nullptr) return drain();
    check_same(*reply);
    done(*reply);
  }
}

void NativeRunner::check_same(const abi::ReplyHeader& reply) const {
  const std::span<const char> run = essence(reply);
  if (std::ranges::equal(run, first_run_)) return;
  Nondeterminism differs{0, 0, asked_.front().moves};
  differs.step = parting(first_run_, reply, differs.site);
  throw differs;
}

bool NativeRunner::repeats(std::span<const Move> schedule) {
  drain();
  runs_ = 0;  // so that it is run twice
  submit({schedule, Request::Then::go_on, 0, 0});
  try {
    next();
    const abi::ReplyHeader* again = receive();
    if (again == nullptr) return false;
    check_same(*again);
    return log_.ending != Ending::misfit;
  } catch (const Nondeterminism&) {
    return false;
  }
}

void NativeRunner::decode(const abi::ReplyHeader& reply) {
  learn_threads(reply);
  learn_semaphores(reply);
  ReplyReader reader(reply);
  events_.clear();
  pending_.clear();
  reader.events(reply, [&](const abi::WireEvent& e, auto accesses) {
    const Event event = event_of(e, accesses);
    if (e.waits == 0)
      events_.push_back(event);
    else
      pending_.push_back(
          {event.move.thread, event.footprint, static_cast<std::uint32_t>(events_.size())});
  });
  const auto races = reader.several<abi::WireRace>(reply.race_count);
  if (!races.empty() && worker_.settings().races == abi::Races::explore) learn(races);
  outcome_.finding = reply.finding;
  notes_.set |= reply.notes;
  if (notes_.leaked_at == 0) notes_.leaked_at = reply.leaked_at;
  if (notes_.never_joined == 0) notes_.never_joined = reply.never_joined;
  log_.ticket = reply.ticket;
  log_.ending = ending_of(reply.ending);
  log_.misfit_at = reply.misfit_at;
  log_.events = events_;
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

void NativeRunner::learn(std::span<const abi::WireRace> races) {
  const std::size_t before = knowledge_.visible.size();
  for (const abi::WireRace& race : races) knowledge_.visible.insert(race.memory);
  if (knowledge_.too_much_visible())
    throw Misuse("the program has more racing memory than can be explored");
  if (knowledge_.visible.size() != before) throw Learned();
}

// The worker is gone. If it was by accident, what it was asked is asked again; if it happens twice
// with the same schedule, that is what the schedule does: the log says how far it came.
bool NativeRunner::recover() {
  Asked& culprit = asked_.front();
  const bool certain = culprit.retried || worker_.took_too_long();
  if (certain) {
    const abi::ReplyHeader& unfinished = worker_.unfinished_reply();
    abi::ReplyHeader& header = const_cast<abi::ReplyHeader&>(unfinished);
    if (unfinished.ticket != culprit.header.ticket) header.event_count = header.waiting_count = 0;
    header.race_count = header.text_bytes = header.stack_words = 0;
    header.ending = abi::Ending::complete;
    header.finding = abi::Finding::died;
    header.bytes = 1;
    decode(header);
    outcome_.text = worker_.fate();
    outcome_.thread = events_.empty() ? 0 : events_.back().move.thread;
    outcome_.site = 0;
    if (!asked_.front().again) --runs_;
    unused_.push_back(std::move(asked_.front()));
    asked_.pop_front();
  } else {
    culprit.retried = true;
  }
  worker_.start_over();
  for (const Asked& a : asked_) send(a);
  return certain;
}

Event NativeRunner::event_of(const abi::WireEvent& wire,
                             std::span<const abi::WireAccess> accesses) {
  return {{wire.move.thread, wire.move.alternative},
          accesses.empty() ? Footprints::empty : footprint_of(wire, accesses),
          static_cast<Site>(wire.site),
          wire.alternatives};
}

FootprintId NativeRunner::footprint_of(const abi::WireEvent& wire,
                                       std::span<const abi::WireAccess> accesses) {
  Recent* recent = nullptr;
  if (accesses.size() == 1) {
    const abi::WireAccess& a = accesses[0];
    recent = &recent_[place_of(a)];
    if (recent->footprint != Footprints::empty && recent->varies == wire.varies &&
        recent->access.object == a.object && recent->access.a == a.a && recent->access.b == a.b)
      return recent->footprint;
  }
  accesses_.clear();
  for (const abi::WireAccess& a : accesses) accesses_.push_back(locations_.access(a));
  const FootprintId footprint = footprints_.intern(accesses_, static_cast<Varies>(wire.varies));
  if (recent != nullptr) *recent = {accesses[0], wire.varies, footprint};
  return footprint;
}

void NativeRunner::drain() {
  while (!asked_.empty()) {
    const abi::ReplyHeader* reply = receive();
    if (reply == nullptr) {
      worker_.start_over();
      asked_.clear();
      kept_.clear();
      return;
    }
    done(*reply);
  }
}

Explanation NativeRunner::explain(std::span<const Move> schedule) {
  drain();
  Asked asked;
  asked.moves.assign(schedule.begin(), schedule.end());
  asked.header = {0, 0, abi::Then::explain, static_cast<std::uint32_t>(schedule.size())};
  asked.retried = true;
  asked_.push_back(std::move(asked));
  send(asked_.back());
  Explanation out;
  const abi::ReplyHeader* reply = receive();
  if (reply == nullptr) {
    recover();
    out.outcome = outcome_;
    for (const Event& e : events_) out.steps.push_back({e.move, e.site, {}});
    return out;
  }
  learn_semaphores(*reply);  // a schedule may have been made by who knew
  ReplyReader reader(*reply);
  reader.events(*reply, [&](const abi::WireEvent& e, auto accesses) {
    if (e.waits == 0)
      out.steps.push_back(
          {{e.move.thread, e.move.alternative}, e.site, {accesses.begin(), accesses.end()}});
  });
  const auto races = reader.several<abi::WireRace>(reply->race_count);
  out.races.assign(races.begin(), races.end());
  out.ending = ending_of(reply->ending);
  out.misfit_at = reply->misfit_at;
  out.outcome = {reply->finding, reply->finding_thread, reader.text(reply->text_bytes),
                 reply->site};
  for (auto words = reader.several<std::uint64_t>(reply->stack_words); !words.empty();) {
    const auto frames = words.subspan(2, words[1]);
    out.stacks.push_back({static_cast<std::uint32_t>(words[0]), {frames.begin(), frames.end()}});
    words = words.subspan(2 + words[1]);
  }
  const bool unsupported = reply->ending == abi::Ending::unsupported;
  done(*reply);
  if (unsupported) throw Unsupported{out.outcome};
  return out;
}

}  // namespace heddle::native
