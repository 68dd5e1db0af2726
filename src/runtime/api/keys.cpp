#include "runtime/api/keys.hpp"

#include <pthread.h>
#include <threads.h>

#include <cerrno>
#include <climits>
#include <cstring>

#include "runtime/api/uses.hpp"
#include "runtime/kernel/current.hpp"
#include "runtime/memory/hidden.hpp"
#include "runtime/sys/export.hpp"

namespace heddle::runtime {
namespace {

struct Key {
  bool used;
  void (*destructor)(void*);
};
static_assert(max_keys == PTHREAD_KEYS_MAX);

struct Keys {
  unsigned end;  // one more than the last that was ever made
  // When main began.
  Key first[max_keys];
  void* values_before_main[max_keys];
  // Of a run.
  Key now[max_keys];
  void* values[abi::max_threads][max_keys];
};
constinit Keys keys{};

void** own_values() { return is_running() ? keys.values[current().id] : keys.values_before_main; }

bool run_once() {
  bool any = false;
  for (unsigned k = 0; k < keys.end; ++k) {
    void*& value = own_values()[k];
    if (value == nullptr) continue;
    look_at(hidden.keys[k]);
    if (!keys.now[k].used || keys.now[k].destructor == nullptr) continue;
    void* const last = value;
    value = nullptr;
    keys.now[k].destructor(last);
    any = true;
  }
  return any;
}

bool is_in_use(pthread_key_t key) {
  if (key >= max_keys) return false;
  look_at(hidden.keys[key]);
  return keys.now[key].used;
}

}  // namespace

void run_key_destructors() {
  for (int round = 0; round < PTHREAD_DESTRUCTOR_ITERATIONS && run_once(); ++round) {
  }
}

void clear_key_values(unsigned id) {
  if (keys.end == 0) return;
  if (id == 0)
    std::memcpy(keys.values[id], keys.values_before_main, keys.end * sizeof(void*));
  else
    std::memset(keys.values[id], 0, keys.end * sizeof(void*));
}

void visit_keys(unsigned id, void (*visit)(const char* begin, const char* end)) {
  visit(reinterpret_cast<const char*>(keys.values[id]),
        reinterpret_cast<const char*>(keys.values[id] + keys.end));
}

void remember_keys() { std::memcpy(keys.first, keys.now, sizeof keys.now); }
void restore_keys() { std::memcpy(keys.now, keys.first, keys.end * sizeof keys.now[0]); }

void save_keys(Savepoint& into) {
  // Keys that are made later do not exist then.
  into.undo([](void*, std::uint64_t) { restore_keys(); }, nullptr, 0);
  for_threads([&](const Fiber& f) { into.keep(keys.values[f.id], keys.end * sizeof(void*)); });
  into.keep(keys.now, keys.end * sizeof keys.now[0]);
}

// Those that were made in other runs do not count.
void digest_keys(StateHash& into) {
  using Of = StateHash::Of;
  for (unsigned k = 0; k < keys.end; ++k) {
    if (keys.now[k].used) into.add_words(Of::key, k, keys.now[k].destructor);
    for_threads([&](const Fiber& f) {
      if (keys.values[f.id][k] != nullptr)
        into.add_words(Of::key_value, f.id, k, keys.values[f.id][k]);
    });
  }
}

}  // namespace heddle::runtime

using namespace heddle::runtime;

HEDDLE_EXPORT int pthread_key_create(pthread_key_t* out, void (*destructor)(void*)) noexcept {
  const auto telling = tell<"pthread_key_create">(HEDDLE_CALLED_FROM, out, destructor);
  change(hidden.numbers_of_keys);
  unsigned k = 1;
  while (k < max_keys && keys.now[k].used) ++k;
  if (k == max_keys) return EAGAIN;
  change(hidden.keys[k]);
  keys.now[k] = {true, destructor};
  for (unsigned id = 0; id < heddle::abi::max_threads; ++id) keys.values[id][k] = nullptr;
  if (keys.end <= k) keys.end = k + 1;
  telling.rest();
  *out = k;
  return 0;
}
HEDDLE_EXPORT int pthread_key_delete(pthread_key_t key) noexcept {
  change(hidden.numbers_of_keys);
  if (!is_in_use(key)) return EINVAL;
  change(hidden.keys[key]);
  keys.now[key].used = false;
  return 0;
}
HEDDLE_EXPORT void* pthread_getspecific(pthread_key_t key) noexcept {
  return is_in_use(key) ? own_values()[key] : nullptr;
}
HEDDLE_EXPORT int pthread_setspecific(pthread_key_t key, const void* value) noexcept {
  if (!is_in_use(key)) return EINVAL;
  own_values()[key] = const_cast<void*>(value);
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
