// Initialisation that happens once: pthread_once, call_once, static variables in functions.
#include <pthread.h>
#include <threads.h>

#include <cstdint>

#include "runtime/api/locks.hpp"
#include "runtime/kernel/access_bits.hpp"
#include "runtime/kernel/clocks.hpp"
#include "runtime/kernel/current.hpp"
#include "runtime/kernel/scheduler.hpp"
#include "runtime/memory/memory.hpp"
#include "runtime/memory/shadow.hpp"
#include "runtime/sys/export.hpp"
#include "runtime/sys/system_code.hpp"

using namespace heddle::runtime;
using heddle::abi::Ordering;

namespace {

// A lock, and a flag that later callers read. The flag is the first byte of the object, which
// compiled code reads by itself; the second byte says that a thread is about to set it.
class Once {
 public:
  explicit Once(void* object) : bytes_(static_cast<std::uint8_t*>(object)) {}

  // True: the caller initialises, and calls finish or give_up.
  bool begin() {
    look(OpKind::load);
    if (bytes_[0] != 0) return false;
    step_of(OpKind::begin_once);
    acquire_at(bytes_);
    if (bytes_[0] != 0) {
      unlock();
      return false;
    }
    bytes_[1] = 1;
    return true;
  }
  void finish() {
    look(OpKind::store);
    bytes_[0] = 1;
    give_up();
  }
  void give_up() {
    unlock();
    bytes_[1] = 0;
  }

 private:
  void look(OpKind kind) {
    if (!is_running() || !is_concurrent()) return;
    const bool writes = kind == OpKind::store;
    step({.kind = kind, .object = bytes_, .size = 1});
    if (is_trying()) return;
    if (!writes) order_read(current().id, bytes_, 1, Ordering::acquire);
    check_access(current().id, bytes_, 1, writes ? bit_write : 0, current().site);
    if (writes) order_write(current().id, bytes_, 1, Ordering::release, false, false);
  }
  void step_of(OpKind kind) {
    if (!is_running()) return;
    step({.kind = kind, .told = true, .object = bytes_});
    use_object(bytes_);
  }
  void unlock() {
    step_of(OpKind::unlock);
    release_at(bytes_);
    count_effect();
  }

  std::uint8_t* bytes_;
};

int call(void* control, void (*function)()) {
  Once once(control);
  if (!once.begin()) return 0;
  try {
    function();
  } catch (...) {
    once.give_up();
    throw;
  }
  once.finish();
  return 0;
}

}  // namespace

HEDDLE_EXPORT int pthread_once(pthread_once_t* control, void (*function)()) {
  if (!is_in_system(__builtin_return_address(0))) return call(control, function);
  auto& done = *reinterpret_cast<std::uint8_t*>(control);
  if (done == 0) function();
  done = 1;
  return 0;
}

extern "C" __attribute__((visibility("default"))) void call_once(once_flag* flag,
                                                                 void (*function)()) {
  call(flag, function);
}

HEDDLE_EXPORT int __cxa_guard_acquire(std::uint64_t* guard) { return Once(guard).begin() ? 1 : 0; }
HEDDLE_EXPORT void __cxa_guard_release(std::uint64_t* guard) { Once(guard).finish(); }
HEDDLE_EXPORT void __cxa_guard_abort(std::uint64_t* guard) { Once(guard).give_up(); }
