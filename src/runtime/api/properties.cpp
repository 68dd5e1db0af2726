#include "runtime/api/properties.hpp"

#include <pthread.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstdarg>
#include <cstring>

#include "runtime/api/handles.hpp"
#include "runtime/api/uses.hpp"
#include "runtime/kernel/current.hpp"
#include "runtime/memory/hidden.hpp"
#include "runtime/memory/memory.hpp"
#include "runtime/sys/export.hpp"
#include "runtime/sys/process.hpp"
#include "runtime/wire/channel.hpp"

namespace heddle::runtime {
namespace {

constexpr std::size_t name_size = 16;  // with the end

struct Properties {
  char name[name_size];  // empty: that of the process
  int policy, priority;
  bool chose_processors;  // otherwise all that the process has
  cpu_set_t processors;
};

struct AllProperties {
  Properties of[abi::max_threads];
  bool any_set;  // otherwise no thread has any
  // Those of the process, if it chose before main began.
  bool chose_processors;
  cpu_set_t processors;
};
constinit AllProperties properties{};  // of a run, but for those of the process

// The fiber's properties, which the caller is about to change.
Properties& changed(const Fiber& f) {
  change(hidden.properties[f.id]);
  properties.any_set = true;
  if (is_running()) current().effects.count();
  return properties.of[f.id];
}
const Properties& seen(const Fiber& f) {
  look_at(hidden.properties[f.id]);
  return properties.of[f.id];
}

void forget_all() {
  if (!properties.any_set) return;
  std::memset(properties.of, 0, sizeof properties.of);
  properties.any_set = false;
}

bool is_priority(int policy, int priority) {
  if (policy == SCHED_FIFO || policy == SCHED_RR) return priority >= 1 && priority <= 99;
  return (policy == SCHED_OTHER || policy == SCHED_BATCH || policy == SCHED_IDLE) && priority == 0;
}

// How many bytes of a set of that size the system writes; negative: they are too few, or not a set.
// Which processors the process may use is for the engine to say.
long get_processors_of_process(cpu_set_t& out, std::size_t size = sizeof(cpu_set_t)) {
  std::memset(&out, 0, sizeof out);
  const auto bytes = static_cast<long>(size < sizeof out ? size : sizeof out);
  const long written = system_call(SYS_sched_getaffinity, 0, bytes, reinterpret_cast<long>(&out));
  if (written > 0 && has_engine())
    std::memcpy(&out, channel().processors, static_cast<std::size_t>(written));
  if (written > 0 && properties.chose_processors) out = properties.processors;
  return written;
}

// Of the given set, those that there are. False: that is none.
bool get_wanted(std::size_t size, const cpu_set_t* set, cpu_set_t& out) {
  cpu_set_t there;
  get_processors_of_process(there);
  std::memset(&out, 0, sizeof out);
  std::memcpy(&out, set, size < sizeof out ? size : sizeof out);
  CPU_AND(&out, &out, &there);
  return CPU_COUNT(&out) != 0;
}

long choose_processors(const Fiber& f, std::size_t size, const cpu_set_t* set) {
  cpu_set_t wanted;
  if (!get_wanted(size, set, wanted)) return -EINVAL;
  Properties& p = changed(f);
  p.chose_processors = true;
  p.processors = wanted;
  return 0;
}

// Null: of the process.
long get_processors_of(const Fiber* f, std::size_t size, cpu_set_t* out) {
  cpu_set_t set;
  const long written = get_processors_of_process(set, size);
  if (written < 0) return written;
  if (f != nullptr && seen(*f).chose_processors) set = properties.of[f->id].processors;
  std::memcpy(out, &set, static_cast<std::size_t>(written));
  return written;
}

// What is left of the caller's set, after the bytes that the system writes.
void clear_from(long written, std::size_t size, cpu_set_t* out) {
  std::memset(reinterpret_cast<char*>(out) + written, 0, size - static_cast<std::size_t>(written));
}

// The thread of the program that has this number for the system. (The first has the number of the
// process.)
const Fiber* fiber_with_number(pid_t number) {
  if (number == 0) return &current();
  const long id = number - system_call(SYS_getpid);
  return id < 0 ? nullptr : fiber_of(static_cast<pthread_t>(id) + 1);
}

bool is_this_process(pid_t number) { return number == 0 || number == system_call(SYS_getpid); }

}  // namespace

void begin_properties(unsigned id) {
  if (id == 0)
    forget_all();
  else if (properties.any_set)
    properties.of[id] = properties.of[current().id];
}

void save_properties(Savepoint& into) {
  into.undo([](void*, std::uint64_t) { forget_all(); }, nullptr, 0);
  if (!properties.any_set) return;
  into.keep(properties.any_set);
  for_threads([&](const Fiber& f) { into.keep(properties.of[f.id]); });
}

bool use_name(int option, long argument) {
  if (!is_running() || (option != PR_SET_NAME && option != PR_GET_NAME)) return false;
  auto* text = reinterpret_cast<char*>(argument);
  if (option == PR_GET_NAME) {
    plain_write(text, name_size);
    return pthread_getname_np(pthread_self(), text, name_size) == 0;
  }
  plain_read(text, strnlen(text, name_size - 1) + 1);
  char name[name_size] = {};  // what is longer is cut off
  std::memcpy(name, text, strnlen(text, name_size - 1));
  return pthread_setname_np(pthread_self(), name) == 0;
}

long set_processors(pid_t number, std::size_t size, const cpu_set_t* set) {
  const Fiber* const f = is_running() ? fiber_with_number(number) : nullptr;
  if (f != nullptr) return choose_processors(*f, size, set);
  if (is_running() || !is_this_process(number))
    return system_call(SYS_sched_setaffinity, number, static_cast<long>(size),
                       reinterpret_cast<long>(set));
  cpu_set_t wanted;
  if (!get_wanted(size, set, wanted)) return -EINVAL;
  properties.chose_processors = true;
  properties.processors = wanted;
  return 0;
}

long get_processors(pid_t number, std::size_t size, cpu_set_t* out) {
  const Fiber* const f = is_running() ? fiber_with_number(number) : nullptr;
  if (f == nullptr && (is_running() || !is_this_process(number)))
    return system_call(SYS_sched_getaffinity, number, static_cast<long>(size),
                       reinterpret_cast<long>(out));
  return get_processors_of(f, size, out);
}

}  // namespace heddle::runtime

using namespace heddle::runtime;

HEDDLE_EXPORT int pthread_setname_np(pthread_t handle, const char* name) noexcept {
  tell<"pthread_setname_np">(HEDDLE_CALLED_FROM, handle, name);
  const Fiber* f = fiber_of(handle);
  const std::size_t length = std::strlen(name);
  if (length >= name_size) return ERANGE;
  if (f != nullptr) std::memcpy(changed(*f).name, name, length + 1);
  return 0;
}
HEDDLE_EXPORT int pthread_getname_np(pthread_t handle, char* out, std::size_t size) noexcept {
  if (size < name_size) return ERANGE;
  tell<"pthread_getname_np">(HEDDLE_CALLED_FROM, handle, out, size);
  const Fiber* f = fiber_of(handle);
  if (f != nullptr && seen(*f).name[0] != 0)
    std::memcpy(out, seen(*f).name, name_size);
  else
    system_call(SYS_prctl, PR_GET_NAME, reinterpret_cast<long>(out));
  return 0;
}

HEDDLE_EXPORT int pthread_setschedparam(pthread_t handle, int policy,
                                        const sched_param* parameters) noexcept {
  tell<"pthread_setschedparam">(HEDDLE_CALLED_FROM, handle, policy, parameters);
  const Fiber* f = fiber_of(handle);
  if (f == nullptr) return ESRCH;
  const int priority = parameters->sched_priority;
  if (!is_priority(policy & ~SCHED_RESET_ON_FORK, priority)) return EINVAL;
  Properties& p = changed(*f);
  p.policy = policy;
  p.priority = priority;
  return 0;
}
HEDDLE_EXPORT int pthread_getschedparam(pthread_t handle, int* policy, sched_param* out) noexcept {
  tell<"pthread_getschedparam">(HEDDLE_CALLED_FROM, handle, policy, out);
  const Fiber* f = fiber_of(handle);
  if (f == nullptr) return ESRCH;
  *policy = seen(*f).policy;
  out->sched_priority = properties.of[f->id].priority;
  return 0;
}
HEDDLE_EXPORT int pthread_setschedprio(pthread_t handle, int priority) noexcept {
  const Fiber* f = fiber_of(handle);
  if (f == nullptr) return ESRCH;
  if (!is_priority(seen(*f).policy & ~SCHED_RESET_ON_FORK, priority)) return EINVAL;
  changed(*f).priority = priority;
  return 0;
}

HEDDLE_EXPORT int pthread_setaffinity_np(pthread_t handle, std::size_t size,
                                         const cpu_set_t* set) noexcept {
  tell<"pthread_setaffinity_np">(HEDDLE_CALLED_FROM, handle, size, set);
  const Fiber* f = fiber_of(handle);
  return f == nullptr ? ESRCH : static_cast<int>(-choose_processors(*f, size, set));
}
HEDDLE_EXPORT int pthread_getaffinity_np(pthread_t handle, std::size_t size,
                                         cpu_set_t* out) noexcept {
  const Fiber* f = fiber_of(handle);
  if (f == nullptr) return ESRCH;
  const long written = get_processors_of(f, size, out);
  if (written < 0) return static_cast<int>(-written);
  tell<"pthread_getaffinity_np">(HEDDLE_CALLED_FROM, handle, size, out);
  clear_from(written, size, out);
  return 0;
}
HEDDLE_EXPORT int sched_setaffinity(pid_t number, std::size_t size, const cpu_set_t* set) noexcept {
  tell<"sched_setaffinity">(HEDDLE_CALLED_FROM, number, size, set);
  return static_cast<int>(result_of(set_processors(number, size, set)));
}
HEDDLE_EXPORT int sched_getaffinity(pid_t number, std::size_t size, cpu_set_t* out) noexcept {
  const long written = get_processors(number, size, out);
  if (written < 0) return static_cast<int>(result_of(written));
  tell<"sched_getaffinity">(HEDDLE_CALLED_FROM, number, size, out);
  clear_from(written, size, out);
  return 0;
}
HEDDLE_EXPORT int sched_getcpu() noexcept { return 0; }

// With which process this one is to end is for the engine to say, and names of threads are kept
// elsewhere.
HEDDLE_EXPORT int prctl(int option, ...) {
  long words[4];
  va_list more;
  va_start(more, option);
  for (long& word : words) word = va_arg(more, long);
  va_end(more);
  if (option == PR_SET_PDEATHSIG) return 0;
  if (use_name(option, words[0])) return 0;
  const long result = system_call(SYS_prctl, option, words[0], words[1], words[2], words[3]);
  if (result >= 0) return static_cast<int>(result);
  errno = static_cast<int>(-result);
  return -1;
}
