#include "runtime/api/locks.hpp"

#include <cstdio>

#include "runtime/api/initialisers.hpp"
#include "runtime/kernel/clocks.hpp"
#include "runtime/kernel/current.hpp"
#include "runtime/kernel/idle.hpp"
#include "runtime/kernel/incarnations.hpp"
#include "runtime/kernel/operations.hpp"
#include "runtime/kernel/run_table.hpp"
#include "runtime/kernel/scheduler.hpp"
#include "runtime/kernel/stop.hpp"
#include "runtime/kernel/time_limit.hpp"

namespace heddle::runtime {
namespace {

// Whether what happens before what matters. It does not in a trial, which must not reach the
// clocks.
bool is_ordered() { return is_running() && is_concurrent() && !is_trying(); }

// How often locks have been acquired in this run, and attempts to do so have failed.
struct Takings {
  std::uint64_t key;
  std::uint32_t count;
  std::uint32_t failures;
};
RunTable<Takings> takings;

std::uint64_t address_of(const void* p) { return reinterpret_cast<std::uint64_t>(p); }

// Shared acquisitions are counted separately: the next address stands for them.
const void* key_of(const void* lock, Sharing sharing) {
  return static_cast<const char*>(lock) + (sharing == Sharing::shared ? 1 : 0);
}

// A thread that holds a lock keeps out all others; one that shares it, those that would acquire it
// exclusively.
Effects::Others others_at(const void* lock, Sharing sharing) {
  // No entry is made here: a trial must not make the table grow, as it is put back where it was.
  const Takings* known = takings.find(address_of(key_of(lock, Sharing::alone)));
  const Takings alone = known == nullptr ? Takings{} : *known;
  if (sharing == Sharing::shared) return {alone.count, alone.failures};
  const Takings* shared = takings.find(address_of(key_of(lock, Sharing::shared)));
  return {alone.count + (shared == nullptr ? 0 : shared->count), alone.failures};
}

}  // namespace

void set_up_takings() { takings.set_up(1 << 8); }
void clear_takings() { takings.clear(); }
void save_takings(Savepoint& into) { takings.save(into); }

// Whether the lock has been acquired by others since, or an attempt to do so has failed, decides
// what the next release or acquisition counts for.
void digest_holds(StateHash& into) {
  for_threads([&](const Fiber& f) {
    if (f.status != Fiber::Status::live && f.status != Fiber::Status::spinning) return;
    unsigned k = 0;
    f.effects.for_holds([&](const void* key, std::uint64_t hold, Effects::Others then, bool held) {
      const std::uint64_t kind = address_of(key) % 4;  // see key_of and count_nesting
      const auto* lock = static_cast<const char*>(key) - kind;
      const Effects::Others now =
          kind >= 2 ? Effects::Others{}
                    : others_at(lock, kind == 1 ? Sharing::shared : Sharing::alone);
      const bool same = held ? then.failures == now.failures
                             : then.takings == now.takings || then.takings == Effects::forgiven;
      into.add_words(StateHash::Of::hold, f.id, k++, key, hold, held, same);
    });
  });
}

unsigned self_id() { return is_running() ? current().id : 0; }

// (By itself: frames of threads that wait have no variables whose address is taken, as far as
// possible, so that all that is dead in them is seen.)
[[gnu::noinline]] static bool pass_before_runs(OpKind kind, void* object, std::uint8_t group) {
  if (!is_enabled({.kind = kind, .group = group, .object = object}, 0)) initialise_in_runs("waits");
  return false;
}

bool step_on(OpKind kind, void* object, TimeLimit limit, std::uint8_t group) {
  if (!is_running()) return pass_before_runs(kind, object, group);
  const unsigned alternative = step({.kind = kind,
                                     .timed = limit.timed,
                                     .limited = limit.limited,
                                     .group = group,
                                     .object = object,
                                     .deadline = limit.deadline});
  use_object(object);
  if (alternative == 0) return false;
  reach(limit);
  return true;
}

void acquire_at(const void* object) {
  if (is_ordered()) acquire(current().id, object);
}
void release_at(const void* object) {
  if (is_ordered()) release(current().id, object);
}

void count_effect() {
  if (is_running()) current().effects.count();
}
void count_taking(const void* lock, Sharing sharing) {
  if (!is_running()) return;
  current().effects.take(key_of(lock, sharing), others_at(lock, sharing));
  if (!is_trying()) ++takings.at(address_of(key_of(lock, sharing))).count;
}
void count_giving(const void* lock, Sharing sharing) {
  if (!is_running()) return;
  current().effects.give(key_of(lock, sharing), others_at(lock, sharing));
}
void count_failure(const void* lock) {
  if (is_running() && !is_trying() && sees_for_the_first_time(current(), lock))
    ++takings.at(address_of(key_of(lock, Sharing::alone))).failures;
}
void count_nesting(const Mutex& m, int levels) {
  if (!is_running()) return;
  const void* nested = reinterpret_cast<const char*>(&m) + 2;
  levels > 0 ? current().effects.take(nested, {}) : current().effects.give(nested, {});
}

void refuse_shared(int pshared) {
  if (pshared == PTHREAD_PROCESS_SHARED && is_running())
    unsupported("locks and the like that are shared between processes");
}

void misuse(const char* what) { fail(abi::Finding::lock_misuse, what); }
void misuse_after_end(const char* what) {
  char text[100];
  std::snprintf(text, sizeof text, "a %s is used after it was destroyed", what);
  misuse(text);
}

bool is_awaited(const void* object, OpKind kind) {
  bool found = false;
  if (is_running())
    for_threads([&](const Fiber& f) {
      found = found || (f.status == Fiber::Status::live && f.id != current().id &&
                        f.pending.kind == kind && f.pending.object == object);
    });
  return found;
}

bool is_owner(std::uint32_t number) { return number != 0 && number <= abi::max_threads; }

namespace {
const void* of_leaving(const void* object) { return static_cast<const char*>(object) + 3; }
}  // namespace

void leave_object(void* object, std::uint64_t size, std::uint32_t incarnation) {
  if (incarnation_of(object) != incarnation) return;
  use_object(static_cast<char*>(object) + size - 1);
  release_at(of_leaving(object));
}
void await_leaving(const void* object) {
  next_incarnation(object);
  acquire_at(of_leaving(object));
}

Mutex& usable_mutex(void* object) { return usable<Mutex>(object, "mutex"); }

bool holds(const Mutex& m) { return m.owner == self_id() + 1; }

bool lock_mutex(void* object, TimeLimit limit) {
  if (step_on(OpKind::lock, object, limit)) return false;
  take_mutex(usable_mutex(object));
  return true;
}

void take_mutex(Mutex& m) {
  m.owner = self_id() + 1;
  m.count = 1;
  m.locked_at = is_running() ? current().site : nullptr;
  acquire_at(&m);
  count_taking(&m);
}

void release_mutex(Mutex& m) {
  release_at(&m);
  count_giving(&m);
  m.owner = m.count = 0;
  m.locked_at = nullptr;
}

void unlock_mutex(void* object) {
  step_on(OpKind::unlock, object);
  release_mutex(as<Mutex>(object));
}

}  // namespace heddle::runtime
