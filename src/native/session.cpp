#include "native/session.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/check.hpp"
#include "native/reply.hpp"

namespace heddle::native {
namespace {

// Enough that neither side waits for the other: a worker makes a run in 2 to 3 microseconds at
// best, so 64 of them outlast the 50 or so that it takes to wake a sleeping process, twice over.
// More would only grow what is thrown away when something is learned.
constexpr std::size_t most_in_flight = 64;
// All replies in flight fit twice into the window of the ring, the part that stays in the caches:
// one half is read while the other is written.
constexpr std::uint64_t bytes_in_flight = abi::window_of(abi::reply_ring_bytes) / 2;

// What a request asks about states. The repetition of a run ends in none that is known.
abi::Compare compare_of(const Request& request, bool again) {
  if (!request.digests) return abi::Compare::nothing;
  return request.until != nullptr && !again ? abi::Compare::known : abi::Compare::digests;
}

// The policy of runs that compare states is random. If not all threads are to be alike, it is
// steady: the seed is even.
std::uint64_t seed_of(const Request& request) {
  if (!request.digests) return request.seed;
  return request.weights.empty() ? request.seed | 1 : (request.seed | 3) - 1;
}

bool is_state(const abi::WireDigest& digest) { return digest.first != 0 || digest.second != 0; }

abi::WireEvent wire(const Event& e) { return {{e.move.thread, e.move.alternative}, e.step}; }

bool same(const abi::WireEvent& a, const abi::WireEvent& b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

const abi::ReplyHeader& header_of(const std::vector<std::uint64_t>& reply) {
  return *reinterpret_cast<const abi::ReplyHeader*>(reply.data());
}

}  // namespace

Session::Session(Transport& worker, Decoder& decoder, std::uint64_t repeat_every)
    : worker_(worker), decoder_(decoder), repeat_every_(repeat_every), capacity_(most_in_flight) {
  HEDDLE_CHECK(repeat_every != 0);
}

Session::Asked Session::unused() {
  if (unused_.empty()) return {};
  Asked out = std::move(unused_.back());
  unused_.pop_back();
  return out;
}

void Session::submit(const Request& request, abi::Then then) {
  if (request.schedule.size() > abi::max_steps)
    throw Misuse("the schedule has more than " + std::to_string(abi::max_steps) + " steps");
  HEDDLE_CHECK(request.known.size() <= request.schedule.size());
  const bool repeat = runs_++ % repeat_every_ == 0;
  for (int copy = 0; copy < (repeat ? 2 : 1); ++copy) {
    Asked asked = unused();
    asked.moves.assign(request.schedule.begin(), request.schedule.end());
    for (const AsleepMove& m : request.asleep) asked.moves.push_back(m.move);
    asked.forget_known();
    if (copy == 0) keep_known(request.known, asked);
    asked.header = {request.ticket,
                    seed_of(request),
                    then,
                    static_cast<std::uint32_t>(request.schedule.size()),
                    static_cast<std::uint32_t>(asked.known.size()),
                    next_serial(),
                    compare_of(request, copy == 1),
                    request.digests ? static_cast<std::uint32_t>(request.known.size()) : 0,
                    static_cast<std::uint32_t>(request.asleep.size()),
                    0};
    asked.again = copy == 1;
    queue_.push_back(std::move(asked));
    send(queue_.back());
  }
}

// The known prefix ends at a time-out: the worker must send that event again, because the list of
// blocked threads comes with it.
void Session::keep_known(std::span<const Event> known, Asked& asked) {
  const auto differs = std::ranges::mismatch(known, last_known_).in1;
  last_known_.resize(static_cast<std::size_t>(differs - known.begin()));
  hashes_.resize(last_known_.size() + 1);
  for (auto e = differs; e != known.end() && !decoder_.footprints().times_out(e->footprint); ++e) {
    last_known_.push_back(*e);
    hashes_.push_back(abi::hash_after(hashes_.back(), wire(*e)));
  }
  HEDDLE_CHECK(hashes_.size() == last_known_.size() + 1 && last_known_.size() <= known.size());
  asked.known = last_known_;
  asked.known_hash = hashes_.back();
}

void Session::Asked::forget_known() {
  known.clear();
  known_hash = 0;
  header.known_count = 0;
}

void Session::send(const Asked& asked) {
  HEDDLE_CHECK(asked.header.known_count == asked.known.size());
  HEDDLE_CHECK(!asked.again || asked.known.empty());
  while (!worker_.send(asked.header, asked.moves)) {
    if (worker_.in_flight() ==
        0) {  // the worker is about to make room, unless it was killed meanwhile
      if (worker_.has_died()) worker_.start_over();
      continue;
    }
    const abi::ReplyHeader* reply = worker_.receive();
    if (reply == nullptr) return;  // noticed again when the reply is received
    keep(*reply);
  }
}

void Session::keep(const abi::ReplyHeader& reply) {
  HEDDLE_CHECK(kept_.size() < queue_.size());  // a reply that no request waits for
  const auto* words = reinterpret_cast<const std::uint64_t*>(&reply);
  kept_.emplace_back(words, words + reply.bytes / 8);
}

const abi::ReplyHeader* Session::receive() {
  HEDDLE_CHECK(!queue_.empty());
  if (kept_.empty()) return worker_.receive();
  received_ = std::move(kept_.front());
  kept_.pop_front();
  return &header_of(received_);
}

// The first request of the queue has been answered.
void Session::retire() {
  HEDDLE_CHECK(!queue_.empty());
  std::swap(answered_, queue_.front());
  unused_.push_back(std::move(queue_.front()));
  queue_.pop_front();
}

Session::Answer Session::answered(const abi::ReplyHeader& reply) {
  // The decoder has accepted it as the reply to this request.
  HEDDLE_CHECK(reply.serial == answered_.header.serial && reply.ticket == answered_.header.ticket);
  capacity_ = std::clamp<std::size_t>(bytes_in_flight / reply.bytes, 2, most_in_flight);
  return {reply, answered_.known, answered_.schedule(), answered_.header.digest_from};
}

Session::Answer Session::next() {
  for (;;) {
    HEDDLE_CHECK(!queue_.empty());
    const abi::ReplyHeader* reply = answer();
    if (reply == nullptr && drop_repetition_of_cut()) continue;
    if (reply == nullptr) return death();
    retire();
    if (answered_.again) {
      check_same(*reply);
      continue;
    }
    if (!queue_.empty() && queue_.front().again) keep_first_run(*reply);
    if (reply->known_hash == answered_.known_hash || reply->ending == abi::Ending::diverged)
      return answered(*reply);
    ask_for_all();
  }
}

// Keeps what the second run of the schedule must repeat: all events, known ones included, the
// finding and the outcome.
void Session::keep_first_run(const abi::ReplyHeader& reply) {
  HEDDLE_CHECK(!answered_.again && !queue_.empty() && queue_.front().again);
  second_serial_ = queue_.front().header.serial;
  const std::vector<Event>& known = answered_.known;
  first_run_.clear();
  for (std::size_t k = 0; k < known.size() && k < reply.event_count; ++k)
    first_run_.push_back(wire(known[k]));
  ReplyReader reader(reply);
  const auto sent = reader.events(reply, known.size());
  first_run_.insert(first_run_.end(), sent.begin(), sent.end());
  const auto digests = reader.several<abi::WireDigest>(reply.digest_count);
  first_digests_.assign(digests.begin(), digests.end());
  const auto stretches = reader.several<abi::WireStretch>(reply.stretch_count);
  first_stretches_.assign(stretches.begin(), stretches.end());
  const auto acts = reader.several<abi::WireAct>(reply.act_count);
  first_acts_.assign(acts.begin(), acts.end());
  first_is_cut_ = reply.ending == abi::Ending::known;
  first_finding_ = reply.finding;
  first_value_ = value_of(reply);
}

// The run diverged from its known prefix: requests it again with nothing known. If the schedule is
// being run twice anyway, its second run is the answer.
void Session::ask_for_all() {
  if (!queue_.empty() && queue_.front().again) {
    queue_.front().again = false;
    return;
  }
  Asked asked = answered_;
  asked.forget_known();
  asked.header.serial = next_serial();
  queue_.push_back(std::move(asked));
  send(queue_.back());
}

void Session::finish() {
  // The second run may have been dropped with a worker that started over.
  while (!queue_.empty() && queue_.front().again && (!kept_.empty() || worker_.in_flight() != 0)) {
    const abi::ReplyHeader* reply = answer();
    if (reply == nullptr && drop_repetition_of_cut()) return;
    if (reply == nullptr) {
      death();
      return;
    }
    retire();
    check_same(*reply);
  }
}

void Session::check_same(const abi::ReplyHeader& reply) {
  HEDDLE_CHECK(answered_.again && answered_.header.serial == second_serial_);
  ReplyReader reader(reply);
  const std::span<const abi::WireEvent> run = reader.events(reply, 0);
  if (repeats_first(reply, run)) return compare_states(reply, reader);
  const auto divergence = std::ranges::mismatch(run, first_run_, same).in1;
  Nondeterminism differs{0, 0, scheduled()};
  for (auto at = run.begin(); at != run.end() && at <= divergence; ++at) {
    differs.site = decoder_.site_of(abi::step_name(*at));
    differs.step += !abi::is_pending(*at) && at != divergence ? 1 : 0;
  }
  throw differs;
}

// A run that was cut in a known state is the beginning of its repetition.
bool Session::repeats_first(const abi::ReplyHeader& reply,
                            std::span<const abi::WireEvent> events) const {
  if (first_is_cut_)
    return events.size() >= first_run_.size() &&
           std::ranges::equal(events.first(first_run_.size()), first_run_, same);
  return std::ranges::equal(events, first_run_, same) && reply.finding == first_finding_ &&
         value_of(reply) == first_value_;
}

void Session::compare_states(const abi::ReplyHeader& reply, ReplyReader reader) {
  const auto digests = reader.several<abi::WireDigest>(reply.digest_count);
  for (std::size_t k = 0; k < first_digests_.size(); ++k) {
    if (k >= digests.size() || !is_state(digests[k]) || !is_state(first_digests_[k])) continue;
    if (digests[k].first != first_digests_[k].first ||
        digests[k].second != first_digests_[k].second)
      states_differ_ = true;
  }
  const auto stretches = reader.several<abi::WireStretch>(reply.stretch_count);
  const auto acts = reader.several<abi::WireAct>(reply.act_count);
  for (const abi::WireStretch& first : first_stretches_) {
    const auto same = std::ranges::lower_bound(stretches, first.at, {}, &abi::WireStretch::at);
    const auto same_act = [](const abi::WireAct& a, const abi::WireAct& b) {
      return std::memcmp(&a, &b, sizeof a) == 0;
    };
    if (same == stretches.end() || same->at != first.at ||
        !std::ranges::equal(acts.subspan(same->first, same->count),
                            std::span(first_acts_).subspan(first.first, first.count), same_act))
      states_differ_ = true;
  }
}

void Session::drain() {
  while (!queue_.empty()) {
    const abi::ReplyHeader* reply = receive();
    if (reply == nullptr || decoder_.fault_in(*reply, queue_.front().header) != nullptr) {
      worker_.start_over();
      queue_.clear();
      kept_.clear();
      return;
    }
    retire();
  }
  HEDDLE_CHECK(kept_.empty() && worker_.in_flight() == 0);
}

Session::Answer Session::run_alone(std::span<const Move> schedule, abi::Then then) {
  drain();
  HEDDLE_CHECK(queue_.empty() && kept_.empty());
  Asked asked = unused();
  asked.moves.assign(schedule.begin(), schedule.end());
  asked.forget_known();
  asked.header = {};
  asked.header.then = then;
  asked.header.move_count = static_cast<std::uint32_t>(schedule.size());
  asked.header.serial = next_serial();
  asked.again = false;
  queue_.push_back(std::move(asked));
  send(queue_.back());
  const abi::ReplyHeader* reply = answer();
  if (reply == nullptr) return death();
  retire();
  HEDDLE_CHECK(queue_.empty() && worker_.in_flight() == 0);
  come_ = worker_.come_to_be_created();
  return {*reply, answered_.known, answered_.schedule(), 0, nullptr, come_};
}

}  // namespace heddle::native
