#include "runtime/threads.hpp"

#include <pthread.h>
#include <setjmp.h>
#include <threads.h>
#include <unwind.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "runtime/clocks.hpp"
#include "runtime/export.hpp"
#include "runtime/memory.hpp"
#include "runtime/process.hpp"
#include "runtime/scheduler.hpp"

namespace heddle::runtime {
namespace {

constexpr unsigned max_keys = 128, max_destructors = 256;

struct Destructor {
  void (*function)(void*);
  void* object;
};

// What threads have beside what the scheduler needs.
struct ThreadData {
  _Unwind_Exception exit;  // of pthread_exit
  unsigned destructor_count;
  Destructor destructors[max_destructors];
  void* keys[max_keys];
};
ThreadData thread_data[abi::max_threads];

// The unwinder keeps there what it is to call.
bool is_exiting(const ThreadData& data) { return data.exit.private_1 != 0; }

ThreadData& own_data() { return thread_data[current().id]; }

struct Key {
  bool used;
  void (*destructor)(void*);
};
Key keys[max_keys], first_keys[max_keys];
void* values_before_main[max_keys];
unsigned keys_end = 0;  // behind all that were ever made

void** key_values() { return is_running() ? own_data().keys : values_before_main; }

Fiber* fiber_of(pthread_t handle) {
  if (handle == 0 || handle > abi::max_threads) return nullptr;
  Fiber& f = fiber(static_cast<unsigned>(handle) - 1);
  return f.status == Fiber::Status::absent ? nullptr : &f;
}

pthread_t handle_of(const Fiber& f) { return f.id + 1UL; }

bool run_key_destructors() {
  bool any = false;
  for (unsigned k = 0; k < keys_end; ++k) {
    void* value = own_data().keys[k];
    if (!keys[k].used || keys[k].destructor == nullptr || value == nullptr) continue;
    own_data().keys[k] = nullptr;
    keys[k].destructor(value);
    any = true;
  }
  return any;
}

// pthread_exit runs the destructors of all frames, as an exception that nobody can catch.
_Unwind_Reason_Code unwind_to_the_end(int, _Unwind_Action actions, _Unwind_Exception_Class,
                                      _Unwind_Exception*, _Unwind_Context*, void*) {
  if ((actions & _UA_END_OF_STACK) != 0) finish_thread();
  return _URC_NO_REASON;
}

}  // namespace

void run_thread_destructors() {
  ThreadData& own = own_data();
  while (own.destructor_count > 0) {
    const Destructor d = own.destructors[--own.destructor_count];
    d.function(d.object);
  }
  for (int round = 0; round < PTHREAD_DESTRUCTOR_ITERATIONS && run_key_destructors(); ++round) {
  }
}

void clear_thread_data(unsigned id) {
  ThreadData& data = thread_data[id];
  data.destructor_count = 0;
  data.exit.private_1 = 0;
  if (keys_end == 0) return;
  if (id == 0)
    std::memcpy(data.keys, values_before_main, keys_end * sizeof data.keys[0]);
  else
    std::memset(data.keys, 0, keys_end * sizeof data.keys[0]);
}

void visit_keys(unsigned id, void (*visit)(const char* begin, const char* end)) {
  visit(reinterpret_cast<const char*>(thread_data[id].keys),
        reinterpret_cast<const char*>(thread_data[id].keys + keys_end));
}

void remember_keys() { std::memcpy(first_keys, keys, sizeof keys); }
void restore_keys() { std::memcpy(keys, first_keys, keys_end * sizeof keys[0]); }

void save_threads(Savepoint& into) {
  // What threads have now may be gone then, and keys that are made later are.
  into.undo(
      [](void*, std::uint64_t) {
        for_threads([](const Fiber& f) { clear_thread_data(f.id); });
        restore_keys();
      },
      nullptr, 0);
  for_threads([&](const Fiber& f) {
    ThreadData& data = thread_data[f.id];
    if (data.destructor_count != 0 || is_exiting(data))
      into.keep(&data, offsetof(ThreadData, destructors) +
                           data.destructor_count * sizeof data.destructors[0]);
    into.keep(data.keys, keys_end * sizeof data.keys[0]);
  });
  into.keep(keys, keys_end * sizeof keys[0]);
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

int join(pthread_t handle, void** result) {
  Fiber* target = fiber_of(handle);
  if (target == nullptr) return ESRCH;
  if (target == &current()) return EDEADLK;
  if (target->detached || target->joined) return EINVAL;
  target->joined = true;
  current().effects.count();
  await_end(*target);
  join_thread(current().id, target->id);
  if (result != nullptr) *result = target->result;
  return 0;
}

int detach(pthread_t handle) {
  Fiber* target = fiber_of(handle);
  if (target == nullptr) return ESRCH;
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
  if (!is_running())
    refuse("the program creates a thread before main begins, which is not supported");
  const unsigned id = create(function, argument);
  int detached = PTHREAD_CREATE_JOINABLE;
  if (attributes != nullptr) pthread_attr_getdetachstate(attributes, &detached);
  fiber(id).detached = detached == PTHREAD_CREATE_DETACHED;
  plain_write(out, sizeof *out);
  *out = handle_of(fiber(id));
  return 0;
}

HEDDLE_EXPORT int pthread_join(pthread_t handle, void** result) {
  return is_running() ? join(handle, result) : ESRCH;
}

HEDDLE_EXPORT int pthread_tryjoin_np(pthread_t, void**) noexcept {
  unsupported("pthread_tryjoin_np");
}
HEDDLE_EXPORT int pthread_timedjoin_np(pthread_t, void**, const timespec*) {
  unsupported("pthread_timedjoin_np");
}
HEDDLE_EXPORT int pthread_clockjoin_np(pthread_t, void**, clockid_t, const timespec*) {
  unsupported("pthread_clockjoin_np");
}
HEDDLE_EXPORT int pthread_cancel(pthread_t) { unsupported("pthread_cancel"); }
HEDDLE_EXPORT int pthread_kill(pthread_t, int) noexcept { unsupported("pthread_kill"); }

HEDDLE_EXPORT int pthread_detach(pthread_t handle) noexcept { return detach(handle); }

HEDDLE_EXPORT int thrd_create(thrd_t* out, thrd_start_t function, void* argument) noexcept {
  if (!is_running()) return thrd_error;
  auto* start =
      static_cast<std::pair<thrd_start_t, void*>*>(malloc(sizeof(std::pair<thrd_start_t, void*>)));
  *start = {function, argument};
  const unsigned id = create(run_c11, start);
  plain_write(out, sizeof *out);
  *out = handle_of(fiber(id));
  return thrd_success;
}
HEDDLE_EXPORT int thrd_join(thrd_t handle, int* result) {
  void* value = nullptr;
  if (join(handle, &value) != 0) return thrd_error;
  if (result != nullptr) *result = static_cast<int>(reinterpret_cast<std::intptr_t>(value));
  return thrd_success;
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

// In C, pthread_cleanup_push registers where to go on; in C++ it is a destructor.
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
  _Unwind_Exception& e = own_data().exit;
  std::memset(&e, 0, sizeof e);
  _Unwind_ForcedUnwind(&e, unwind_to_the_end, nullptr);
  finish_thread();
}

// Names, priorities and processors change nothing here.
HEDDLE_EXPORT int pthread_setname_np(pthread_t, const char*) noexcept { return 0; }
HEDDLE_EXPORT int pthread_getname_np(pthread_t handle, char* out, std::size_t size) noexcept {
  const int n = std::snprintf(out, size, "thread %lu", handle - 1);
  return static_cast<std::size_t>(n) < size ? 0 : ERANGE;
}
HEDDLE_EXPORT int pthread_setschedparam(pthread_t, int, const sched_param*) noexcept { return 0; }
HEDDLE_EXPORT int pthread_getschedparam(pthread_t, int* policy, sched_param* out) noexcept {
  *policy = SCHED_OTHER;
  *out = {};
  return 0;
}
HEDDLE_EXPORT int pthread_setschedprio(pthread_t, int) noexcept { return 0; }
HEDDLE_EXPORT int pthread_setaffinity_np(pthread_t, std::size_t, const cpu_set_t*) noexcept {
  return 0;
}
HEDDLE_EXPORT int pthread_getaffinity_np(pthread_t, std::size_t size, cpu_set_t* out) noexcept {
  std::memset(out, 0xff, size);
  return 0;
}
HEDDLE_EXPORT int pthread_getcpuclockid(pthread_t, clockid_t*) noexcept { return ENOENT; }
HEDDLE_EXPORT int pthread_getattr_np(pthread_t, pthread_attr_t* out) noexcept {
  return pthread_attr_init(out);
}

HEDDLE_EXPORT int pthread_key_create(pthread_key_t* out, void (*destructor)(void*)) noexcept {
  for (unsigned k = 1; k < max_keys; ++k) {
    if (keys[k].used) continue;
    keys[k] = {true, destructor};
    for (unsigned id = 0; id < heddle::abi::max_threads; ++id) thread_data[id].keys[k] = nullptr;
    if (keys_end <= k) keys_end = k + 1;
    *out = k;
    return 0;
  }
  return EAGAIN;
}
HEDDLE_EXPORT int pthread_key_delete(pthread_key_t key) noexcept {
  if (key >= max_keys || !keys[key].used) return EINVAL;
  keys[key].used = false;
  return 0;
}
HEDDLE_EXPORT void* pthread_getspecific(pthread_key_t key) noexcept {
  return key < max_keys ? key_values()[key] : nullptr;
}
HEDDLE_EXPORT int pthread_setspecific(pthread_key_t key, const void* value) noexcept {
  if (key >= max_keys || !keys[key].used) return EINVAL;
  key_values()[key] = const_cast<void*>(value);
  if (is_running()) current().effects.count();
  return 0;
}

HEDDLE_EXPORT int tss_create(tss_t* out, tss_dtor_t destructor) noexcept {
  return pthread_key_create(out, destructor) == 0 ? thrd_success : thrd_error;
}
HEDDLE_EXPORT void tss_delete(tss_t key) noexcept { pthread_key_delete(key); }
HEDDLE_EXPORT void* tss_get(tss_t key) noexcept { return pthread_getspecific(key); }
HEDDLE_EXPORT int tss_set(tss_t key, void* value) noexcept {
  return pthread_setspecific(key, value) == 0 ? thrd_success : thrd_error;
}

HEDDLE_EXPORT int __cxa_thread_atexit_impl(void (*function)(void*), void* object, void*) {
  if (!is_running()) return 0;
  ThreadData& own = own_data();
  if (own.destructor_count == max_destructors)
    unsupported("more than 256 thread-local objects with destructors in a thread");
  own.destructors[own.destructor_count++] = {function, object};
  return 0;
}
