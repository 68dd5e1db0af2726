// Workers that die, and what they cannot have written: the part of NativeRunner that sees to it
// that a finding is what a schedule does, and nothing that befell a process.
#include <algorithm>
#include <cmath>

#include "native/reply.hpp"
#include "native/runner.hpp"

namespace heddle::native {
namespace {

// So often in a row a schedule has to end a process in the same way for that to be what it does. If
// it cannot be seen who did it, more often.
constexpr unsigned deaths_of_program = 3, deaths_by_anybody = 30;
constexpr double shortest_pause = 0.005, longest_pause = 0.5;

// Whether new processes are watched, until the end of its life.
class Watched {
 public:
  explicit Watched(Worker& worker) : worker_(worker) {}
  ~Watched() { worker_.set_witnessed(false); }
  Watched(const Watched&) = delete;
  Watched& operator=(const Watched&) = delete;

  void from_now_on() {
    worker_.set_witnessed(true);
    now_ = true;
  }
  bool now() const { return now_; }

 private:
  Worker& worker_;
  bool now_ = false;
};

}  // namespace

// The time differs from process to process, but less than when somebody kills them.
bool NativeRunner::Death::agrees_with(const Death& other) const {
  return fate == other.fate && events == other.events && waiting == other.waiting &&
         going == other.going &&
         std::abs(used - other.used) < 0.01 + 0.25 * std::max(used, other.used);
}

// Null: its schedule ends the process, and the log says so. Whatever else befalls the worker, what
// it was asked is asked again.
const abi::ReplyHeader* NativeRunner::answer() {
  const abi::ReplyHeader* reply = receive();
  if (reply != nullptr && is_possible(*reply, asked_.front())) return reply;
  if (reply != nullptr) {
    kept_.clear();
    worker_.condemn();
  }
  const bool answered = examine();
  for (std::size_t k = answered ? 1 : 0; k < asked_.size(); ++k) send(asked_[k]);
  return answered ? receive() : nullptr;
}

// A reply that the worker of this program can have written.
bool NativeRunner::is_possible(const abi::ReplyHeader& reply, const Asked& asked) {
  if (reply.serial != asked.header.serial || reply.ticket != asked.header.ticket ||
      reply.ending > abi::Ending::unsupported || reply.finding > abi::Finding::nondeterminism ||
      reply.held > abi::Held::bound || reply.bound > abi::Bound::memory ||
      reply.threads > abi::max_threads || reply.finding_thread >= abi::max_threads)
    return false;
  const std::size_t threads = std::max<std::size_t>(reply.threads, knowledge_.threads);
  try {
    ReplyReader reader(reply);
    for (const abi::WireEvent& e : reader.events(reply, asked.known.size()))
      if (!is_possible(e, threads)) return false;
    reader.several<abi::WireRace>(reply.race_count);
    reader.several<char>(reply.text_bytes);
    reader.several<std::uint64_t>(reply.stack_words);
    reader.several<char>(reply.detail_bytes);
  } catch (const Overwritten&) {
    return false;
  }
  return true;
}

bool NativeRunner::is_possible(const abi::WireEvent& event, std::size_t threads) {
  const std::uint32_t name = event.step & ~abi::waits_bit;
  if (event.move.thread >= threads) return false;
  if (event.step != name && event.move.alternative > static_cast<unsigned>(abi::Can::give_up))
    return false;
  if (is_named(name)) return true;
  if (!worker_.has_step(name)) return false;
  return std::ranges::all_of(worker_.step(name).accesses, [&](const abi::WireAccess& a) {
    return !tells_of_thread(static_cast<Mode>(a.object >> abi::mode_shift)) || a.a < threads;
  });
}

// The worker is gone, in the run that was asked first or before it. That run is made by itself, in
// new processes, until one of them answers, or they have died so often at the same place, and in
// the same way, that it is the schedule's doing. False: it is.
bool NativeRunner::examine() {
  if (worker_.took_too_long()) {
    note_death();
    return false;
  }
  asked_.front().forget_known();
  Watched watched(worker_);
  std::optional<Death> last;
  unsigned agreeing = 0;
  double pause = shortest_pause;
  for (;;) {
    if (ask_alone()) {
      if (watched.now()) worker_.start_over();  // the others need not be as slow
      return true;
    }
    const std::optional<Death> death = death_of(asked_.front());
    agreeing = !death ? 0 : last && death->agrees_with(*last) ? agreeing + 1 : 1;
    last = death;
    if (worker_.took_too_long() ||
        agreeing >= (is_doubtful() ? deaths_by_anybody : deaths_of_program)) {
      note_death();
      return false;
    }
    if (worker_.was_sent_signal()) watched.from_now_on();
    if (agreeing > 1) continue;
    worker_.pause(pause);
    pause = std::min(2 * pause, longest_pause);
  }
}

// What the program prints has been seen; again it is only if the run comes to an end.
bool NativeRunner::ask_alone() {
  for (bool shown = false;; shown = true) {
    worker_.start_over();
    worker_.show_output(shown);
    const Asked& asked = asked_.front();
    worker_.send(asked.header, asked.moves);
    const abi::ReplyHeader* reply = worker_.receive();
    worker_.show_output(true);
    if (reply != nullptr && !is_possible(*reply, asked)) {
      worker_.condemn();
      reply = nullptr;
    }
    if (reply == nullptr) return false;
    if (worker_.shows_output() && !shown) continue;
    keep(*reply);
    worker_.take(*reply);
    return true;
  }
}

// The last event may have no name yet.
const abi::ReplyHeader* NativeRunner::unfinished_reply(const Asked& asked) {
  return worker_.unfinished_reply(asked.header.serial, asked.header.known_count,
                                  [&](const abi::WireEvent& e, std::size_t threads) {
                                    threads = std::max(threads, knowledge_.threads);
                                    return e.step == 0 ? e.move.thread < threads
                                                       : is_possible(e, threads);
                                  });
}

// None if it had not begun with the run, or if somebody else ended it.
std::optional<NativeRunner::Death> NativeRunner::death_of(const Asked& asked) {
  const abi::ReplyHeader* reply = unfinished_reply(asked);
  if (worker_.fate() == overwrote_channel) return Death{worker_.fate(), 0, 0, 0, 0};
  if (reply == nullptr || (worker_.was_sent_signal() && worker_.cause() == Witness::Cause::others))
    return std::nullopt;
  return Death{worker_.fate(), reply->event_count, reply->waiting_count, reply->going,
               is_doubtful() ? worker_.time_used_up() : 0};
}

bool NativeRunner::is_doubtful() const {
  return worker_.was_sent_signal() && worker_.fate() != overwrote_channel &&
         worker_.cause() == Witness::Cause::unknown;
}

// The log says how far the run came.
void NativeRunner::note_death() {
  const Asked& asked = asked_.front();
  abi::ReplyHeader none{};
  none.bytes = sizeof none;
  none.finding = abi::Finding::died;
  const abi::ReplyHeader* unfinished = unfinished_reply(asked);
  const abi::ReplyHeader& reply = unfinished == nullptr ? none : *unfinished;
  decode(reply);
  log_.ticket = asked.header.ticket;
  log_.ending = Ending::died;
  if (reply.going != 0 && reply.going < abi::max_threads && reply.going_at == events_.size())
    dying_move_ = Move{static_cast<ThreadId>(reply.going), 0};
  outcome_ = {abi::Finding::died, 0, worker_.fate(), 0};
  if (!events_.empty()) outcome_.thread = events_.back().move.thread;
  if (dying_move_) outcome_.thread = dying_move_->thread;
  unfinished_ = asked.known.empty() ? read_unfinished(reply, worker_) : Explanation{};
  unfinished_.outcome = outcome_;
  unfinished_.dying = dying_move_;
  if (asked.again)  // the first time, it did not
    throw Nondeterminism{events_.size(), 0, asked.moves};
  worker_.start_over();
  asked_.pop_front();
  if (!asked_.empty() && asked_.front().again) asked_.pop_front();
}

}  // namespace heddle::native
