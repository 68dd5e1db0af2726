// Condition variables, of POSIX and of C, and futexes.
#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <threads.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "runtime/channel.hpp"
#include "runtime/condition.hpp"
#include "runtime/export.hpp"
#include "runtime/findings.hpp"
#include "runtime/futex.hpp"
#include "runtime/locks.hpp"
#include "runtime/memory.hpp"
#include "runtime/scheduler.hpp"

namespace heddle::runtime {
namespace {

// True: gave up waiting.
bool wake_up(void* object, const TimeLimit& limit) {
  const bool late = step_on(OpKind::wake, object, limit);
  Condition& condition = condition_at(object);
  late ? condition.give_up(current().id) : condition.wake(current().id);
  return late;
}

void check_held(const Mutex& m) {
  if (!holds(m)) misuse("a thread waits on a condition without its mutex");
}

// Once in each thread: else there would be no end of it.
bool wakes_spuriously() {
  if (settings().spurious_wakeups == 0 || current().woke_spuriously) return false;
  return current().woke_spuriously = choose(2) == 1;
}

int wait(void* c, void* mutex, const TimeLimit& limit) {
  auto& m = as<Mutex>(mutex);
  check_heap(c, 1);
  check_held(m);
  const std::uint32_t count = m.count;
  note(abi::note_condition);
  count_effect();
  // A time-out or spurious wake-up that is foreseen is as if the thread had never been registered.
  const bool spurious = !limit.expired && wakes_spuriously();
  bool late = limit.expired;
  if (late || spurious) {
    unlock_mutex(mutex);
  } else {
    step({.kind = OpKind::wait, .object = c, .second = mutex});
    use_object(c);
    release_mutex(m);
    condition_at(c).wait(current().id);
    late = wake_up(c, limit);
  }
  lock_mutex(mutex);
  m.count = count;
  return late ? ETIMEDOUT : 0;
}

int signal(void* c) {
  if (!is_running()) return 0;
  check_heap(c, 1);
  step_on(OpKind::signal, c);
  count_effect();
  condition_at(c).signal();
  return 0;
}

int broadcast(void* c) {
  if (!is_running()) return 0;
  check_heap(c, 1);
  step_on(OpKind::broadcast, c);
  count_effect();
  condition_at(c).broadcast();
  return 0;
}

int destroy(void* c, std::size_t size) {
  end_object(c, size);
  return 0;
}

long fail_with(int error) {
  errno = error;
  return -1;
}

long futex_wait(void* word, std::uint32_t expected, const TimeLimit& limit) {
  if (limit.expired) return fail_with(ETIMEDOUT);
  static_cast<void>(*static_cast<volatile char*>(word));
  check_heap(word, 4);
  step({.kind = OpKind::futex_wait, .object = word, .size = 4, .value = expected});
  use_object(word);
  if (as<std::uint32_t>(word) != expected) return fail_with(EAGAIN);
  count_effect();
  condition_at(word).wait(current().id);
  return wake_up(word, limit) ? fail_with(ETIMEDOUT) : 0;
}

long futex_wake(void* word, long count) {
  count_effect();
  if (count >= static_cast<long>(abi::max_threads)) {
    step({.kind = OpKind::broadcast, .object = word});
    return condition_at(word).broadcast();
  }
  long woken = 0;
  for (long k = 0; k < count; ++k) {
    step({.kind = OpKind::signal, .object = word});
    woken += condition_at(word).signal();
  }
  return woken;
}

}  // namespace

long futex(const long* a) {
  void* word = reinterpret_cast<void*>(a[0]);
  const auto expected = static_cast<std::uint32_t>(a[2]);
  const auto* limit = reinterpret_cast<const timespec*>(a[3]);
  switch (a[1] & FUTEX_CMD_MASK) {
    case FUTEX_WAIT:
      return futex_wait(word, expected, limit == nullptr ? TimeLimit{} : limit_after(limit));
    case FUTEX_WAIT_BITSET:
      return futex_wait(word, expected, limit == nullptr ? TimeLimit{} : limit_at(limit));
    case FUTEX_WAKE:
    case FUTEX_WAKE_BITSET:
      return futex_wake(word, a[2]);
    default:
      unsupported("a futex operation other than wait and wake");
  }
}

}  // namespace heddle::runtime

using namespace heddle::runtime;

HEDDLE_EXPORT int pthread_cond_init(pthread_cond_t* c,
                                    const pthread_condattr_t* attributes) noexcept {
  int shared = PTHREAD_PROCESS_PRIVATE;
  if (attributes != nullptr) pthread_condattr_getpshared(attributes, &shared);
  refuse_shared(shared);
  std::memset(c, 0, sizeof *c);
  return 0;
}
HEDDLE_EXPORT int pthread_cond_destroy(pthread_cond_t* c) noexcept { return destroy(c, sizeof *c); }
HEDDLE_EXPORT int pthread_cond_wait(pthread_cond_t* c, pthread_mutex_t* m) {
  return wait(c, m, {});
}
HEDDLE_EXPORT int pthread_cond_timedwait(pthread_cond_t* c, pthread_mutex_t* m,
                                         const timespec* deadline) {
  return wait(c, m, limit_at(deadline));
}
HEDDLE_EXPORT int pthread_cond_clockwait(pthread_cond_t* c, pthread_mutex_t* m, clockid_t,
                                         const timespec* deadline) {
  return wait(c, m, limit_at(deadline));
}
HEDDLE_EXPORT int pthread_cond_signal(pthread_cond_t* c) noexcept { return signal(c); }
HEDDLE_EXPORT int pthread_cond_broadcast(pthread_cond_t* c) noexcept { return broadcast(c); }

HEDDLE_EXPORT int cnd_init(cnd_t* c) noexcept {
  std::memset(c, 0, sizeof *c);
  return thrd_success;
}
HEDDLE_EXPORT void cnd_destroy(cnd_t* c) noexcept { destroy(c, sizeof *c); }
HEDDLE_EXPORT int cnd_wait(cnd_t* c, mtx_t* m) { return wait(c, m, {}), thrd_success; }
HEDDLE_EXPORT int cnd_timedwait(cnd_t* c, mtx_t* m, const timespec* deadline) {
  return wait(c, m, limit_at(deadline)) == 0 ? thrd_success : thrd_timedout;
}
HEDDLE_EXPORT int cnd_signal(cnd_t* c) noexcept { return signal(c); }
HEDDLE_EXPORT int cnd_broadcast(cnd_t* c) noexcept { return broadcast(c); }
