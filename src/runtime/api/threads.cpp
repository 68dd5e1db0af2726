#include "runtime/api/threads.hpp"

#include <pthread.h>
#include <setjmp.h>
#include <sys/syscall.h>
#include <threads.h>
#include <unwind.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "runtime/api/cancellation.hpp"
#include "runtime/api/handles.hpp"
#include "runtime/api/initialisers.hpp"
#include "runtime/api/keys.hpp"
#include "runtime/api/limits.hpp"
#include "runtime/api/signals.hpp"
#include "runtime/api/uses.hpp"
#include "runtime/kernel/clocks.hpp"
#include "runtime/kernel/current.hpp"
#include "runtime/kernel/findings.hpp"
#include "runtime/kernel/modules.hpp"
#include "runtime/kernel/scheduler.hpp"
#include "runtime/kernel/stop.hpp"
#include "runtime/kernel/thread_life.hpp"
#include "runtime/kernel/time_limit.hpp"
#include "runtime/memory/hidden.hpp"
#include "runtime/sys/export.hpp"
#include "runtime/sys/mapping.hpp"
#include "runtime/sys/process.hpp"

namespace heddle::runtime {
namespace {

constexpr unsigned max_destructors = 256;

struct Destructor {
  void (*function)(void*);
  void* object;
};

// What threads have besides what the scheduler needs.
struct ThreadData {
  _Unwind_Exception exit;  // of pthread_exit
  Destructor destructors[max_destructors];
};
// Which part of it is in use, in one place for all threads: most use none.
struct ThreadDataUsed {
  std::uint32_t destructors;
  bool exit;
};

struct AllThreadData {
  ThreadData of[abi::max_threads];
  ThreadDataUsed used[abi::max_threads];
};
constinit AllThreadData thread_data{};  // of a run

ThreadData& own_data() { return thread_data.of[current().id]; }
ThreadDataUsed& own_used() { return thread_data.used[current().id]; }

// Called if a handler that catches everything ends without rethrowing.
void on_not_rethrown(_Unwind_Reason_Code, _Unwind_Exception*) {
  fail(abi::Finding::terminate,
       current().cancel.begun
           ? "what ends a cancelled thread is caught and not rethrown: the C library ends the "
             "process"
           : "what pthread_exit throws is caught and not rethrown: the C library ends the process");
}

// pthread_exit runs the destructors of all frames, as an exception that cannot be caught.
_Unwind_Reason_Code unwind_to_the_end(int, _Unwind_Action actions, _Unwind_Exception_Class,
                                      _Unwind_Exception*, _Unwind_Context*, void*) {
  if ((actions & _UA_END_OF_STACK) != 0) finish_thread();
  return _URC_NO_REASON;
}

}  // namespace

void run_thread_locals() {
  while (own_used().destructors > 0) {
    const Destructor d = own_data().destructors[--own_used().destructors];
    d.function(d.object);
  }
}

// The first thread keeps its objects until it exits, if it does.
void run_thread_destructors() {
  if (current().id != 0) run_thread_locals();
  run_key_destructors();
}

void clear_thread_data(unsigned id) {
  thread_data.used[id] = {};
  clear_key_values(id);
}

void save_thread_data(Savepoint& into) {
  // What threads have now may not exist then.
  into.undo(
      [](void*, std::uint64_t) { for_threads([](const Fiber& f) { clear_thread_data(f.id); }); },
      nullptr, 0);
  for_threads([&](const Fiber& f) {
    ThreadDataUsed& u = thread_data.used[f.id];
    if (u.destructors == 0 && !u.exit) return;
    ThreadData& data = thread_data.of[f.id];
    into.keep(u);
    into.keep(&data,
              offsetof(ThreadData, destructors) + u.destructors * sizeof data.destructors[0]);
  });
  save_keys(into);
}

void digest_thread_data(StateHash& into) {
  for_threads([&](const Fiber& f) {
    const ThreadDataUsed& u = thread_data.used[f.id];
    const ThreadData& data = thread_data.of[f.id];
    into.add(data.destructors, u.destructors * sizeof data.destructors[0]);
    if (u.exit) into.add(data.exit);
  });
  digest_keys(into);
}

}  // namespace heddle::runtime

using namespace heddle::runtime;

namespace {

unsigned create(void* (*function)(void*), void* argument) {
  const unsigned id = next_child();
  step({.kind = OpKind::create, .value = id});
  create_thread(id, function, argument);
  return id;
}

template <typename Result>
int join(pthread_t handle, Result result, const timespec* deadline = nullptr) {
  Fiber* target = fiber_of(handle);
  if (target == nullptr) return ESRCH;
  change(hidden.threads[target->id]);
  if (target->detached || target->joined) return EINVAL;
  if (target == &current()) return EDEADLK;
  const TimeLimit limit = deadline == nullptr ? TimeLimit{} : limit_at(deadline);
  if (limit.expired) look_at(hidden.ends[target->id]);
  if (limit.expired && target->status != Fiber::Status::ended) return ETIMEDOUT;
  if (is_wait_cancelled(limit)) {
    await_cancellation(limit);
    be_cancelled();
  }
  target->joined = true;
  current().effects.count();
  const bool ended = await_end(*target, limit);
  end_wait();
  if (!ended) {
    change(hidden.threads[target->id]);
    target->joined = false;
    return ETIMEDOUT;
  }
  join_thread(current().id, target->id);
  result(target->result);
  return 0;
}

// Changes nothing as long as the thread has not ended: a loop may wait for it like this.
template <typename Result>
int try_to_join(pthread_t handle, Result result) {
  const Fiber* target = fiber_of(handle);
  if (target == nullptr) return ESRCH;
  look_at(hidden.ends[target->id]);
  if (target->status != Fiber::Status::ended) return EBUSY;
  return join(handle, result);
}

template <typename Result>
int timed_join(pthread_t handle, Result result, clockid_t clock, const timespec* deadline) {
  if (deadline != nullptr && (!can_limit(clock) || !has_nanoseconds(deadline))) return EINVAL;
  return join(handle, result, deadline);
}

// Where a thread's result goes, reported when it is written.
template <typename Telling>
auto into(void** result, const Telling& telling) {
  return [=](void* value) {
    telling.rest();
    if (result != nullptr) *result = value;
  };
}

int detach(pthread_t handle) {
  Fiber* target = fiber_of(handle);
  if (target == nullptr) return ESRCH;
  change(hidden.threads[target->id]);
  if (target->detached || target->joined) return EINVAL;
  target->detached = true;
  return 0;
}

// The functions of C's threads return numbers.
void* run_c11(void* start) {
  const auto [function, argument] = *static_cast<std::pair<thrd_start_t, void*>*>(start);
  free(start);
  return reinterpret_cast<void*>(static_cast<std::intptr_t>(function(argument)));
}

}  // namespace

HEDDLE_EXPORT int pthread_create(pthread_t* out, const pthread_attr_t* attributes,
                                 void* (*function)(void*), void* argument) noexcept {
  if (!is_running()) initialise_in_runs("creates a thread");
  const auto telling =
      tell<"pthread_create">(HEDDLE_CALLED_FROM, out, attributes, function, argument);
  if (is_foreign(HEDDLE_CALLED_FROM)) note(heddle::abi::note_foreign_thread);
  const unsigned id = create(function, argument);
  int detached = PTHREAD_CREATE_JOINABLE;
  if (attributes != nullptr) pthread_attr_getdetachstate(attributes, &detached);
  fiber(id).detached = detached == PTHREAD_CREATE_DETACHED;
  sigset_t mask;
  if (attributes != nullptr && pthread_attr_getsigmask_np(attributes, &mask) == 0)
    begin_with_mask(id, mask.__val[0]);
  telling.rest();
  *out = handle_of(fiber(id));
  return 0;
}

HEDDLE_EXPORT int pthread_join(pthread_t handle, void** result) {
  if (!is_running()) return ESRCH;
  return join(handle, into(result, tell<"pthread_join">(HEDDLE_CALLED_FROM, handle, result)));
}
HEDDLE_EXPORT int pthread_tryjoin_np(pthread_t handle, void** result) noexcept {
  if (!is_running()) return ESRCH;
  return try_to_join(handle,
                     into(result, tell<"pthread_tryjoin_np">(HEDDLE_CALLED_FROM, handle, result)));
}
HEDDLE_EXPORT int pthread_timedjoin_np(pthread_t handle, void** result, const timespec* deadline) {
  if (!is_running()) return ESRCH;
  const auto telling = tell<"pthread_timedjoin_np">(HEDDLE_CALLED_FROM, handle, result, deadline);
  return timed_join(handle, into(result, telling), CLOCK_REALTIME, deadline);
}
HEDDLE_EXPORT int pthread_clockjoin_np(pthread_t handle, void** result, clockid_t clock,
                                       const timespec* deadline) {
  if (!is_running()) return ESRCH;
  const auto telling =
      tell<"pthread_clockjoin_np">(HEDDLE_CALLED_FROM, handle, result, clock, deadline);
  return timed_join(handle, into(result, telling), clock, deadline);
}

HEDDLE_EXPORT int pthread_detach(pthread_t handle) noexcept { return detach(handle); }

HEDDLE_EXPORT int thrd_create(thrd_t* out, thrd_start_t function, void* argument) noexcept {
  if (!is_running()) initialise_in_runs("creates a thread");
  const auto telling = tell<"thrd_create">(HEDDLE_CALLED_FROM, out, function, argument);
  auto* start =
      static_cast<std::pair<thrd_start_t, void*>*>(malloc(sizeof(std::pair<thrd_start_t, void*>)));
  *start = {function, argument};
  if (is_foreign(HEDDLE_CALLED_FROM)) note(heddle::abi::note_foreign_thread);
  const unsigned id = create(run_c11, start);
  telling.rest();
  *out = handle_of(fiber(id));
  return thrd_success;
}
HEDDLE_EXPORT int thrd_join(thrd_t handle, int* result) {
  const auto telling = tell<"thrd_join">(HEDDLE_CALLED_FROM, handle, result);
  const int error = join(handle, [&](void* value) {
    telling.rest();
    if (result != nullptr) *result = static_cast<int>(reinterpret_cast<std::intptr_t>(value));
  });
  return error == 0 ? thrd_success : thrd_error;
}
HEDDLE_EXPORT int thrd_detach(thrd_t handle) noexcept {
  return detach(handle) == 0 ? thrd_success : thrd_error;
}
HEDDLE_EXPORT thrd_t thrd_current() noexcept { return pthread_self(); }
HEDDLE_EXPORT int thrd_equal(thrd_t a, thrd_t b) noexcept { return a == b; }
HEDDLE_EXPORT void thrd_exit(int result) {
  pthread_exit(reinterpret_cast<void*>(static_cast<std::intptr_t>(result)));
}

namespace {
void run_cleanup() {
  if (current().cleanup == nullptr) return;
  auto* buffer = static_cast<__pthread_unwind_buf_t*>(current().cleanup);
  longjmp(reinterpret_cast<__jmp_buf_tag*>(buffer->__cancel_jmp_buf), 1);
}
}  // namespace

HEDDLE_EXPORT pthread_t pthread_self() noexcept { return is_running() ? handle_of(current()) : 1; }

// In C, pthread_cleanup_push registers where to continue; in C++ it is a destructor.
HEDDLE_EXPORT void __pthread_register_cancel(__pthread_unwind_buf_t* buffer) {
  buffer->__pad[0] = current().cleanup;
  current().cleanup = buffer;
}
HEDDLE_EXPORT void __pthread_unregister_cancel(__pthread_unwind_buf_t* buffer) {
  current().cleanup = buffer->__pad[0];
}
HEDDLE_EXPORT void __pthread_unwind_next(__pthread_unwind_buf_t* buffer) {
  current().cleanup = buffer->__pad[0];
  run_cleanup();
  finish_thread();
}

HEDDLE_EXPORT void pthread_exit(void* result) {
  current().result = result;
  run_cleanup();
  own_used().exit = true;
  _Unwind_Exception& e = own_data().exit;
  std::memset(&e, 0, sizeof e);
  e.exception_cleanup = on_not_rethrown;
  _Unwind_ForcedUnwind(&e, unwind_to_the_end, nullptr);
  finish_thread();
}

// The first thread has the number of the process.
HEDDLE_EXPORT pid_t gettid() noexcept {
  const long process = system_call(SYS_getpid);
  return static_cast<pid_t>(is_running() ? process + current().id : process);
}

HEDDLE_EXPORT int pthread_getcpuclockid(pthread_t handle, clockid_t* out) noexcept {
  if (fiber_of(handle) == nullptr) return ESRCH;
  tell<"pthread_getcpuclockid">(HEDDLE_CALLED_FROM, handle, out);
  *out = CLOCK_THREAD_CPUTIME_ID;
  return 0;
}
HEDDLE_EXPORT int pthread_getattr_np(pthread_t handle, pthread_attr_t* out) noexcept {
  const Fiber* f = fiber_of(handle);
  if (f == nullptr) return ESRCH;
  tell<"pthread_getattr_np">(HEDDLE_CALLED_FROM, handle, out);
  const Range stack = stack_of(f->id);
  pthread_attr_init(out);
  pthread_attr_setdetachstate(out, f->detached ? PTHREAD_CREATE_DETACHED : PTHREAD_CREATE_JOINABLE);
  return pthread_attr_setstack(out, stack.begin, static_cast<std::size_t>(stack.end - stack.begin));
}

HEDDLE_EXPORT int __cxa_thread_atexit_impl(void (*function)(void*), void* object, void*) {
  if (!is_running()) {  // those that a library has for the first thread live as long as the process
    if (is_initialising_program()) initialise_in_runs("");
    return 0;
  }
  if (own_used().destructors == max_destructors)
    reach_bound(heddle::abi::Bound::thread_local_objects);
  own_data().destructors[own_used().destructors++] = {function, object};
  return 0;
}
