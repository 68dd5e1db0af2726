#include "runtime/ending.hpp"

#include <cstdio>

#include "runtime/cancellation.hpp"
#include "runtime/channel.hpp"
#include "runtime/condition.hpp"
#include "runtime/findings.hpp"
#include "runtime/leaks.hpp"
#include "runtime/savepoint.hpp"
#include "runtime/scheduler.hpp"
#include "runtime/state.hpp"

namespace heddle::runtime {

namespace detail {
bool trying = false;
}

namespace {

using Status = Fiber::Status;
using abi::Ending;
using abi::Finding;

constexpr unsigned max_tried_steps = 100'000;

bool exited;  // those that wait then wait in peace

// So long may a run be that goes on when the process has ended.
constexpr std::uint32_t steps_after_exit = 1000, steps_after_kill = 100;

// What a thread that is tried was seen to do.
enum class Trial : std::uint8_t {
  goes_on,  // it leaves its loop, or does something, or lets another thread go on
  waits,    // it comes round again, or cannot take its step
  lends,    // nothing yet, but it is about to take a lock after having given back one
};
Trial trial;
unsigned tried_steps;
bool gave_lock;
bool may_lend;          // it is of interest whether it lends
std::uint64_t waiting;  // threads that could not go on when all were stuck

void stop_trying(Trial seen) {
  trial = seen;
  Fiber& tried = current();
  runtime::detail::current_fiber = &base_fiber();
  switch_fibers(tried, base_fiber());
  be_visited();
}

Trial try_thread(Fiber& f) {
  detail::trying = true;
  runtime::detail::current_fiber = &f;
  switch_fibers(base_fiber(), f);
  detail::trying = false;
  return trial;
}

bool would_leave_loop(Fiber& f) {
  tried_steps = 0;
  gave_lock = may_lend = false;
  return try_thread(f) == Trial::goes_on;
}

// A round may give back a lock for a while: that can be all that the loops of others need.
bool would_go_on(Fiber& f) {
  unsigned steps = 0;
  for (bool gave = false;;) {
    tried_steps = steps;
    gave_lock = gave;
    may_lend = true;
    if (try_thread(f) != Trial::lends) return trial == Trial::goes_on;
    steps = tried_steps;
    gave = gave_lock;
    bool another = false;
    for_threads([&](Fiber& other) {
      if (&other != &f && other.status == Status::spinning)
        another = another || would_leave_loop(other);
    });
    if (another) return true;
  }
}

// Who looks at the clock goes on when time passes; nobody else does because of that.
bool is_stopped(const Fiber& f) { return f.status == Status::spinning && !f.pending.timed; }

bool some_goes_on;

void try_spinners() {
  some_goes_on = false;
  for_threads([](Fiber& f) { some_goes_on = some_goes_on || (is_stopped(f) && would_go_on(f)); });
}

bool is_someone_free() {
  for (std::uint64_t rest = waiting; rest != 0; rest &= rest - 1) {
    const auto id = static_cast<unsigned>(__builtin_ctzll(rest));
    if (is_enabled(fiber(id).pending, id)) return true;
  }
  return false;
}

bool is_stopped_in(const abi::Site* loop, const void* frame) {
  return loop == current().loop && frame == current().loop_frame;
}

bool gives_lock(OpKind kind) {
  return kind == OpKind::unlock || kind == OpKind::read_unlock || kind == OpKind::write_unlock;
}

// Appends to a text of limited length.
class Text {
 public:
  template <typename... Arguments>
  void add(const char* format, Arguments... arguments) {
    const int n = std::snprintf(text_ + length_, sizeof text_ - length_, format, arguments...);
    const auto room = sizeof text_ - 1 - length_;
    length_ += static_cast<std::size_t>(n) < room ? static_cast<std::size_t>(n) : room;
  }
  bool empty() const { return length_ == 0; }
  const char* c_str() const { return text_; }

 private:
  char text_[1900] = "";
  std::size_t length_ = 0;
};

// The one to name: who waits for the end of another is not to blame.
const Fiber* first_to_name(std::uint64_t live) {
  const Fiber* first = nullptr;
  for (std::uint64_t rest = live; rest != 0; rest &= rest - 1) {
    const Fiber& f = fiber(static_cast<unsigned>(__builtin_ctzll(rest)));
    if (first == nullptr || (first->pending.kind == OpKind::join && f.pending.kind != OpKind::join))
      first = &f;
  }
  return first;
}

void describe_waiting(std::uint64_t live, Text& text) {
  for (std::uint64_t rest = live; rest != 0; rest &= rest - 1) {
    const Fiber& f = fiber(static_cast<unsigned>(__builtin_ctzll(rest)));
    char what[400];
    describe(f.pending, what, sizeof what);
    text.add("%sthread %u waits %sfor %s", text.empty() ? "" : "; ", f.id,
             f.pending.timed ? "again and again, with a time limit, " : "", what);
    if (f.site != nullptr) text.add(" (%s:%u)", f.site->file, f.site->line);
  }
}

void note_livelock(std::uint64_t live) {
  Text text;
  const Fiber* first = nullptr;
  for_threads([&](const Fiber& f) {
    if (f.status != Status::spinning) return;
    if (first == nullptr) first = &f;
    text.add("%sthread %u waits for ever in the loop at %s:%u", text.empty() ? "" : "; ", f.id,
             f.loop->file, f.loop->line);
    if (f.site != nullptr && f.site->line != f.loop->line)
      text.add(" (it last looked at %s:%u)", f.site->file, f.site->line);
  });
  describe_waiting(live, text);
  note_finding_of(*first, Finding::livelock, text.c_str(), first->loop);
}

unsigned count(Status status) {
  unsigned n = 0;
  for_threads([&](const Fiber& f) { n += f.status == status ? 1 : 0; });
  return n;
}

// What a run that is over has left behind.
void note_remains() {
  for_threads([](const Fiber& f) {
    if (f.id != 0 && f.status == Status::ended && !f.joined && !f.detached)
      reply().never_joined = reinterpret_cast<std::uint64_t>(f.created_at);
  });
  reply().leaked_at = reinterpret_cast<std::uint64_t>(find_leak());
}

void note_held(abi::Held why, const abi::Site* at) {
  if (reply().held != abi::Held::nowhere) return;
  reply().held = why;
  reply().held_at = reinterpret_cast<std::uint64_t>(site_of(at));
}

// The run is no run of the program, or not one of those that count.
bool is_given_up(std::uint64_t live) {
  for_threads([](const Fiber& f) {
    if (f.bound != abi::Bound::none) note_bound(f);
  });
  for_threads([](const Fiber& f) {
    if (f.status == Status::assuming) note_held(abi::Held::assumption, f.site);
  });
  for (std::uint64_t rest = live; rest != 0; rest &= rest - 1) {
    const Fiber& f = fiber(static_cast<unsigned>(__builtin_ctzll(rest)));
    if (f.pending.limited) note_held(abi::Held::time_limit, f.site);
  }
  if (is_cancellation_ignored()) note_held(abi::Held::assumption, nullptr);
  waiting = live;
  for_threads([&](Fiber& f) {
    if (reply().held != abi::Held::nowhere || !is_stopped(f) || !would_go_on(f)) return;
    note_held(abi::Held::loop, f.loop);
    note(abi::note_spin);
  });
  return reply().held != abi::Held::nowhere;
}

bool is_any_limited(std::uint64_t live) {
  bool any = false;
  for_threads([&](const Fiber& f) { any = any || ((live >> f.id & 1) != 0 && f.pending.timed); });
  return any;
}

Ending end_in_deadlock(std::uint64_t who) {
  Text text;
  describe_waiting(who, text);
  const Fiber& first = *first_to_name(who);
  note_finding_of(first, Finding::deadlock, text.c_str(), first.site);
  return Ending::deadlock;
}

void note_left_blocked(std::uint64_t live) {
  for_threads([&](const Fiber& f) {
    const bool spins = f.status == Status::spinning;
    if (reply().left_blocked != 0 || ((live >> f.id & 1) == 0 && !spins)) return;
    reply().left_blocked = f.id + 1;
    reply().left_blocked_at = reinterpret_cast<std::uint64_t>(site_of(spins ? f.loop : f.site));
  });
}

}  // namespace

void clear_ending() { exited = false; }
void save_ending(Savepoint& into) { into.keep(exited); }

void note_exit(int status, std::uint64_t live) {
  if (status != 0) {
    char text[64];
    std::snprintf(text, sizeof text, "the program exits with status %d", status);
    note_finding(Finding::exit, text, current().site);
  }
  if (live != 0) note(abi::note_main_returned);
  exited = true;
}

void note_endless(const Fiber& next, const char* why) {
  note_finding_of(next, Finding::endless, why, next.site);
}

// Where there is no room to keep everything, the answer is no: then a time limit may be reached
// earlier than as a last resort, which really happens too.
bool would_spinner_go_on(std::uint64_t live) {
  waiting = live;
  return do_and_undo(save_state_for_trial, try_spinners) && some_goes_on;
}

std::uint64_t locked_up(std::uint64_t waiting) {
  std::uint64_t out = waiting;
  for (std::uint64_t before = 0; before != out;) {
    before = out;
    for (std::uint64_t rest = before; rest != 0; rest &= rest - 1) {
      const auto id = static_cast<unsigned>(__builtin_ctzll(rest));
      const Op& op = fiber(id).pending;
      bool hopeless = false;
      for (std::uint64_t by = op.timed ? 0 : held_up_by(op); by != 0; by &= by - 1) {
        const auto holder = static_cast<unsigned>(__builtin_ctzll(by));
        hopeless = hopeless || (out >> holder & 1) != 0 || fiber(holder).status == Status::ended;
      }
      if (!hopeless) out &= ~(std::uint64_t{1} << id);
    }
  }
  return out;
}

bool is_over(std::uint32_t events) {
  return exited && events >= (settings().kill_at_exit != 0 ? steps_after_kill : steps_after_exit);
}

void note_left_running(const Fiber& f) {
  note(abi::note_left_running);
  reply().left_blocked = f.id + 1;
  reply().left_blocked_at = reinterpret_cast<std::uint64_t>(site_of(f.site));
}

void note_bound(const Fiber& f) {
  if (reply().bound == abi::Bound::none) reply().bound = f.bound;
  note_held(abi::Held::bound, f.site);
}

Ending judge_stuck(std::uint64_t live) {
  if (has_finding()) return Ending::complete;
  if (is_given_up(live)) return Ending::assumed;
  const bool spins = count(Status::spinning) != 0;
  if (exited) {
    // The rest may have been left to wait on purpose.
    const std::uint64_t locked = locked_up(live);
    if (locked != 0) return end_in_deadlock(locked);
    note_left_blocked(live);
  }
  if (exited || (live == 0 && !spins)) {
    note_remains();
    return Ending::complete;
  }
  const std::uint64_t locked = locked_up(live);
  if (locked != 0 && is_any_limited(live)) return end_in_deadlock(locked);
  if (!spins) return end_in_deadlock(live);
  note_livelock(live);
  return Ending::deadlock;
}

unsigned try_step(const Op& op) {
  const bool wakes = op.kind == OpKind::signal || op.kind == OpKind::broadcast;
  const bool harmless = op.kind == OpKind::load ||
                        (op.kind >= OpKind::lock && op.kind <= OpKind::write_unlock) ||
                        (wakes && !condition_at(op.object, op.group).is_awaited());
  if (++tried_steps > max_tried_steps || !harmless || is_someone_free())
    stop_trying(Trial::goes_on);
  if (gives_lock(op.kind))
    gave_lock = true;
  else if (may_lend && gave_lock && op.kind != OpKind::load)
    stop_trying(Trial::lends);
  while (!is_enabled(op, current().id)) stop_trying(Trial::waits);
  return 0;
}

void try_spin(const abi::Site* loop, const void* frame) {
  if (++tried_steps > max_tried_steps || is_someone_free()) stop_trying(Trial::goes_on);
  if (is_stopped_in(loop, frame)) stop_trying(Trial::waits);
}

// It had left the loop in between.
void try_entry(const abi::Site* loop, const void* frame) {
  if (is_stopped_in(loop, frame)) stop_trying(Trial::goes_on);
}

void try_effect() { stop_trying(Trial::goes_on); }

}  // namespace heddle::runtime
