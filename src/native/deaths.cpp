// Recovery from workers that die or write what no worker writes: the part of Session that makes
// sure that a finding is what a schedule does, and not something that happened to a process.
#include <algorithm>
#include <cmath>

#include "base/check.hpp"
#include "native/session.hpp"

namespace heddle::native {
namespace {

// How many times in a row a schedule has to end a process in the same way for that to be what it
// does. Three: one death may be an accident (a signal from outside, a machine short of memory), and
// a second one at the same event a coincidence. If the sender of the signal cannot be seen, ten
// times as many: another process that kills workers does so by the clock, and does not hit the same
// event, after the same processor time, thirty times in a row.
constexpr unsigned deaths_of_program = 3, deaths_of_unknown_cause = 30;
// Seconds between two attempts that do not agree, doubled each time: short at first, as most deaths
// are the program's own; then long enough for a machine to recover.
constexpr double shortest_pause = 0.005, longest_pause = 0.5;
// Two processes that make the same run use about the same processor time: within a quarter, or
// within what starting a process may differ by.
constexpr double time_tolerance = 0.25, start_tolerance = 0.01;

// Has new processes traced from `from_now_on` until it is destroyed.
class Watched {
 public:
  explicit Watched(Transport& worker) : worker_(worker) {}
  ~Watched() { worker_.set_witnessed(false); }
  Watched(const Watched&) = delete;
  Watched& operator=(const Watched&) = delete;

  void from_now_on() {
    worker_.set_witnessed(true);
    now_ = true;
  }
  bool now() const { return now_; }

 private:
  Transport& worker_;
  bool now_ = false;
};

bool is_doubtful(const Fate& fate) {
  return fate.was_sent_signal && !fate.overwrote && fate.cause == Witness::Cause::unknown;
}

const abi::ReplyHeader& header_of(const std::vector<std::uint64_t>& reply) {
  return *reinterpret_cast<const abi::ReplyHeader*>(reply.data());
}

}  // namespace

// The times of two processes differ, but by less than if they were killed from outside.
bool Session::Death::agrees_with(const Death& other) const {
  return fate == other.fate && events == other.events && waiting == other.waiting &&
         going == other.going &&
         std::abs(used - other.used) <
             start_tolerance + time_tolerance * std::max(used, other.used);
}

// Returns the reply to the first request of the queue. Null: its schedule ends the process, and
// `death` says how. Whatever else happens to the worker, its requests are sent again.
const abi::ReplyHeader* Session::answer() {
  const abi::ReplyHeader* reply = receive();
  if (reply != nullptr && decoder_.fault_in(*reply, queue_.front().header) == nullptr) return reply;
  if (reply != nullptr) {
    kept_.clear();
    worker_.condemn();
  }
  if (!examine()) return nullptr;
  HEDDLE_CHECK(kept_.size() == 1);
  for (std::size_t k = 1; k < queue_.size(); ++k) send(queue_[k]);
  return receive();
}

// The worker is gone, in the run that was requested first or before it. Repeats that run alone, in
// new processes, until one of them answers (true), or until enough of them have died at the same
// place and in the same way that the schedule must be the reason (false).
bool Session::examine() {
  HEDDLE_CHECK(!queue_.empty() && kept_.empty());
  fate_ = worker_.fate();
  if (fate_.took_too_long) {
    salvage();
    return false;
  }
  queue_.front().forget_known();
  Watched watched(worker_);
  std::optional<Death> last;
  unsigned agreeing = 0;
  for (double pause = shortest_pause;;) {
    if (ask_alone()) {
      if (watched.now()) worker_.start_over();  // the other requests need not be traced
      return true;
    }
    fate_ = worker_.fate();
    salvage();
    const std::optional<Death> death = death_of_worker();
    agreeing = !death ? 0 : last && death->agrees_with(*last) ? agreeing + 1 : 1;
    last = death;
    if (fate_.took_too_long ||
        agreeing >= (is_doubtful(fate_) ? deaths_of_unknown_cause : deaths_of_program))
      return false;
    if (fate_.was_sent_signal) watched.from_now_on();
    if (agreeing > 1) continue;
    worker_.pause(pause);
    pause = std::min(2 * pause, longest_pause);
  }
}

// What the program printed has been shown already; it is shown again only if the run comes to an
// end.
bool Session::ask_alone() {
  for (bool shown = false;; shown = true) {
    worker_.start_over();
    worker_.show_output(shown);
    const Asked& asked = queue_.front();
    worker_.send(asked.header, asked.moves);
    const abi::ReplyHeader* reply = worker_.receive();
    worker_.show_output(true);
    if (reply != nullptr && decoder_.fault_in(*reply, asked.header) != nullptr) {
      worker_.condemn();
      reply = nullptr;
    }
    if (reply == nullptr) return false;
    if (worker_.shows_output() && !shown) continue;
    keep(*reply);
    return true;
  }
}

// Keeps what is valid of the reply that the dead worker was writing.
void Session::salvage() {
  salvaged_.clear();
  const Asked& asked = queue_.front();
  const abi::ReplyHeader* unfinished = worker_.unfinished_reply(asked.header.serial);
  if (unfinished != nullptr && !fate_.overwrote)
    salvaged_ = decoder_.salvage(*unfinished, asked.header);
}

// None if the worker had not begun the run, or if another process killed it.
std::optional<Session::Death> Session::death_of_worker() {
  if (fate_.overwrote) return Death{fate_.text, 0, 0, 0, 0};
  if (salvaged_.empty() || (fate_.was_sent_signal && fate_.cause == Witness::Cause::others))
    return std::nullopt;
  const abi::ReplyHeader& reply = header_of(salvaged_);
  return Death{fate_.text, reply.event_count, reply.waiting_count, reply.going,
               is_doubtful(fate_) ? fate_.time_used : 0};
}

// The repetition of a run that was cut continues where that ended. What kills it there does so in
// other runs, too.
bool Session::drop_repetition_of_cut() {
  HEDDLE_CHECK(kept_.empty());
  if (!queue_.front().again || !first_is_cut_) return false;
  retire();
  worker_.start_over();
  for (const Asked& asked : queue_) send(asked);
  return true;
}

// The answer says how far the run came. The other requests are sent again.
Session::Answer Session::death() {
  HEDDLE_CHECK(kept_.empty());
  retire();
  if (salvaged_.empty()) {
    abi::ReplyHeader none{};
    none.bytes = sizeof none;
    none.ticket = answered_.header.ticket;
    none.finding = abi::Finding::died;
    const auto* words = reinterpret_cast<const std::uint64_t*>(&none);
    salvaged_.assign(words, words + sizeof none / 8);
  }
  const abi::ReplyHeader& reply = header_of(salvaged_);
  if (answered_.again)  // the first run of this schedule did not die
    throw Nondeterminism{reply.event_count, 0, scheduled()};
  come_ = worker_.come_to_be_created();
  worker_.start_over();
  if (!queue_.empty() && queue_.front().again) queue_.pop_front();
  for (const Asked& asked : queue_) send(asked);
  return {reply, answered_.known, answered_.schedule(), answered_.header.digest_from, &fate_,
          come_};
}

}  // namespace heddle::native
