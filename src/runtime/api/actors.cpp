// Processes and mailboxes: the part of <heddle/actors.h> that is not code of the program.
#include <time.h>

#include "runtime/abi/messages.h"
#include "runtime/api/handles.hpp"
#include "runtime/api/initialisers.hpp"
#include "runtime/api/limits.hpp"
#include "runtime/api/locks.hpp"
#include "runtime/kernel/clocks.hpp"
#include "runtime/kernel/current.hpp"
#include "runtime/kernel/messages.hpp"
#include "runtime/kernel/scheduler.hpp"
#include "runtime/kernel/stop.hpp"
#include "runtime/kernel/thread_life.hpp"
#include "runtime/sys/export.hpp"

using namespace heddle::runtime;
using heddle::abi::Finding;
using heddle::abi::Message;
using heddle::abi::MessagePattern;

namespace {

using Process = std::uint64_t;

Fiber& process_at(Process process) {
  Fiber* f = fiber_of(process);
  if (f == nullptr) fail(Finding::message_misuse, "there has never been such a process");
  return *f;
}

// What orders its send and its receive. It is no address: those have fewer bits.
const void* order_of(const Message& m) {
  return reinterpret_cast<const void*>(std::uint64_t{1} << (object_bits - 1) | m.number);
}

// In an atomic block, a message would be one of several things that its step does: which of two
// sends came first would be decided by more than receives.
void check_place(const char* what, const char* in_block) {
  if (!is_running()) initialise_in_runs(what);
  if (is_judging()) fail_judging(Misjudges::synchronises);
  if (current().in_atomic != 0) unsupported(in_block);
}

// Limits of more than 200 years are none.
TimeLimit limit_of(std::int64_t nanoseconds) {
  constexpr std::int64_t second = 1'000'000'000;
  if (nanoseconds <= 0) return {};
  const timespec duration{nanoseconds / second, nanoseconds % second};
  return limit_after(&duration);
}

// True: it timed out.
bool step_to_receive(const Op& op) {
  if (!mailbox_of(current().id).judges) return step(op) != 0;
  unsigned alternative = 0;
  while (!step_unless_due(op, alternative)) look_again();
  return alternative != 0;
}

// What the predicate reads counts from here on, when the message is the thread's own.
void ask_once_more(const MessagePattern& pattern, const Message& m) {
  if (pattern.accepts == nullptr || is_trying()) return;
  const int answer = pattern.accepts(pattern.context, &m);
  if (answer <= 0) fail_judging(answer < 0 ? Misjudges::throws : Misjudges::wavers);
}

}  // namespace

HEDDLE_EXPORT Process heddle_self() { return is_running() ? handle_of(current()) : 1; }

// Its thread is detached: a process that wants to know of its end joins or monitors it.
HEDDLE_EXPORT Process heddle_start_(void* (*function)(void*), void* argument) {
  check_place("creates a thread", "creating a process inside an atomic block");
  const unsigned id = next_child();
  step({.kind = OpKind::create, .value = id});
  create_thread(id, function, argument);
  fiber(id).detached = true;
  return handle_of(fiber(id));
}

HEDDLE_EXPORT void heddle_join(Process process) {
  check_place("waits", "waiting for the end of a process in an atomic block");
  Fiber& target = process_at(process);
  if (&target == &current()) fail(Finding::message_misuse, "a process waits for its own end");
  if (target.awaited_by != 0 && target.status != Fiber::Status::ended)
    unsupported("two threads that wait for the end of one process");
  current().effects.count();
  await_end(target);
  join_thread(current().id, target.id);
}

HEDDLE_EXPORT void heddle_post_(Process to, Message* m) {
  check_place("sends a message", "sending a message inside an atomic block");
  Fiber& self = current();
  const Fiber& target = process_at(to);
  const bool is_told_to_watcher = m->kind != nullptr && m->kind->quiet != 0;
  if (is_known_closed(target.id) && !is_told_to_watcher)
    fail(Finding::message_misuse, "a message is sent to a process that is known to have ended");
  m->number = heddle::abi::message_number(self.id, self.taken);
  m->pattern = name_of_message(*m);
  m->site = self.site;
  step({.kind = OpKind::send, .object = m, .value = target.id});
  count_effect();
  release_at(order_of(*m));
  put_message(target.id, m);
}

HEDDLE_EXPORT Message* heddle_take_(const MessagePattern* patterns, std::uint32_t count,
                                    std::int64_t nanoseconds, std::uint32_t* which) {
  check_place("receives a message", "receiving a message inside an atomic block");
  const TimeLimit limit = limit_of(nanoseconds);
  const bool waits = nanoseconds != 0 && !limit.expired;
  announce_receive(patterns, count);
  const bool late = step_to_receive({.kind = waits ? OpKind::receive : OpKind::try_receive,
                                     .timed = limit.timed,
                                     .limited = limit.limited,
                                     .second = patterns,
                                     .deadline = limit.deadline});
  if (late) reach(limit);
  const bool found = !late && mailbox_of(current().id).found != nullptr;
  Message* m = nullptr;
  if (found) {
    *which = mailbox_of(current().id).which;
    m = take_found();
    count_effect();
    acquire_at(order_of(*m));
  }
  end_receive();
  if (found) ask_once_more(patterns[*which], *m);
  return m;
}

// The process has come to its end, and receives no more.
HEDDLE_EXPORT void heddle_close_() {
  if (is_running() && !is_trying()) close_mailbox();
}
