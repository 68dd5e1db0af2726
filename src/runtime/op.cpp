#include "runtime/op.hpp"

#include <cstdio>
#include <cstring>

#include "model/access.hpp"
#include "runtime/channel.hpp"
#include "runtime/condition.hpp"
#include "runtime/fiber.hpp"
#include "runtime/granules.hpp"
#include "runtime/layout.h"
#include "runtime/memory.hpp"
#include "runtime/modules.hpp"
#include "runtime/objects.hpp"
#include "runtime/recorder.hpp"
#include "runtime/scheduler.hpp"
#include "runtime/visible.hpp"

namespace heddle::runtime {
namespace {

template <typename T>
const T& state_of(const Op& op) {
  return *static_cast<const T*>(op.object);
}

// What is no memory, and yet counts as such.
constexpr std::uint64_t beside_memory = std::uint64_t{1} << 47;

std::uint64_t address_of(const void* p) { return reinterpret_cast<std::uint64_t>(p); }

void add(const void* object, Mode mode) { add_access(address_of(object), mode); }

void add_range(const void* from, std::uint64_t size, Mode mode) {
  for_granules(from, size, [&](std::uint64_t granule, std::uint8_t mask) {
    add_access(granule << abi::mask_bits | mask, mode);
  });
}

// Only as far as it is visible: the rest may be large, and concerns nobody.
void add_plain(const Op& op, Mode mode) {
  for_granules(op.object, op.size, [&](std::uint64_t granule, std::uint8_t mask) {
    const auto first = static_cast<unsigned>(__builtin_ctz(mask));
    const auto size = static_cast<unsigned>(__builtin_popcount(mask));
    if (is_visible(reinterpret_cast<const void*>(granule * granule_size + first), size))
      add_access(granule << abi::mask_bits | mask, mode);
  });
}

// What a step that writes finds, for compare-exchanges that might come in its place. Memory that
// the run has mapped may be gone by now: its thread is to fault, not who looks.
void tell_found(const Op& op) {
  constexpr std::uint64_t mappings = abi::mappings_size * (abi::max_threads + 1);
  if (!has_compares() || op.size > sizeof op.value ||
      address_of(op.object) - abi::mappings_begin < mappings)
    return;
  set_value(value_at(op.object, op.size));
}

void record_memory(const Op& op) {
  const Mode write = op.ordered ? Mode::write_in_block : Mode::write;
  if (op.plain) return add_plain(op, op.kind == OpKind::load ? Mode::read : write);
  switch (op.kind) {
    case OpKind::load:
      return add_range(op.object, op.size, Mode::read);
    case OpKind::store:
      add_range(op.object, op.size, write);
      return tell_found(op);
    case OpKind::update:
      add_range(op.object, op.size, Mode::update);
      return tell_found(op);
    case OpKind::compare_exchange:
      set_varies(Varies::mode);
      add_range(op.object, op.size, exchanges(op) ? Mode::update : Mode::read);
      if (op.size <= sizeof op.value) set_value(op.value);
      return;
    default:
      // What a free takes away from those who would see it: of a block, the memory whose accesses
      // are events.
      for_visible(op.object, op.size, [](std::uint64_t memory) { add_access(memory, Mode::free); });
  }
}

void record_lock(const Op& op) {
  const auto attempt = [&](bool succeeds, Mode yes, Mode no) {
    set_varies(Varies::mode);
    add(op.object, succeeds ? yes : no);
  };
  const RwLock& rwlock = state_of<RwLock>(op);
  switch (op.kind) {
    case OpKind::lock:
    case OpKind::spin_lock:
    case OpKind::begin_once:
      return add(op.object, Mode::lock);
    case OpKind::try_lock:
      return attempt(state_of<Mutex>(op).owner == 0, Mode::try_lock, Mode::try_lock_fail);
    case OpKind::try_spin_lock:
      return attempt(state_of<SpinLock>(op).owner == 0, Mode::try_lock, Mode::try_lock_fail);
    case OpKind::unlock:
      return add(op.object, Mode::unlock);
    case OpKind::read_lock:
      return add(op.object, Mode::read_lock);
    case OpKind::try_read_lock:
      return attempt(rwlock.writer == 0, Mode::try_read_lock, Mode::try_read_lock_fail);
    case OpKind::read_unlock:
      return add(op.object, Mode::read_unlock);
    case OpKind::write_lock:
      return add(op.object, Mode::write_lock);
    case OpKind::try_write_lock:
      return attempt(rwlock.writer == 0 && rwlock.readers == 0, Mode::try_write_lock,
                     Mode::try_write_lock_fail);
    default:
      return add(op.object, Mode::write_unlock);
  }
}

void record_condition(const Op& op, unsigned id) {
  const std::uint64_t key = incarnation_key(op.object, op.group);
  switch (op.kind) {
    case OpKind::wait:
      if (op.second != nullptr) add(op.second, Mode::unlock);
      return add_access(key, Mode::wait);
    case OpKind::signal:
    case OpKind::broadcast:
      set_varies(Varies::mode);
      add_access(key, op.kind == OpKind::signal ? Mode::signal : Mode::broadcast,
                 condition_at(op.object, op.group).next_number(), op.value);
      // Who is told how many were woken sees whether others woke them before.
      if (op.size != 0) add_range(static_cast<char*>(op.object) + beside_memory, 1, Mode::update);
      return;
    case OpKind::wake: {
      set_varies(Varies::mode);
      const Condition::Wake wake = condition_at(op.object, op.group).next_wake(id);
      return add_access(key, wake.for_all ? Mode::wake_all : Mode::wake, wake.number, wake.since);
    }
    default:  // futex_wait looks at the word, and waits only if that is as expected
      set_varies(Varies::anything);
      add_range(op.object, op.size, Mode::read);
      if (value_at(op.object, op.size) == op.value) add_access(key, Mode::wait);
  }
}

void record_semaphore(const Op& op) {
  const Semaphore& s = state_of<Semaphore>(op);
  const std::uint64_t key = incarnation_key(op.object, s.incarnation);
  const auto add = [&](Mode mode, Mode of_value) {
    add_access(key, mode, s.initial);
    if (settings().semaphore_values != 0) add_range(&s.value, sizeof s.value, of_value);
  };
  if (op.kind == OpKind::sem_wait) return add(Mode::sem_wait, Mode::update);
  if (op.kind == OpKind::sem_post) return add(Mode::sem_post, Mode::update);
  set_varies(Varies::mode);
  s.value > 0 ? add(Mode::sem_try_wait, Mode::update) : add(Mode::sem_try_wait_fail, Mode::read);
}

void record_barrier(const Op& op) {
  // Who leaves may find another barrier at its place: it knows which one it was at.
  if (op.kind == OpKind::leave)
    return add_access(incarnation_key(op.object, static_cast<std::uint32_t>(op.size)), Mode::leave,
                      op.value);
  if (op.kind == OpKind::tell || op.kind == OpKind::hear) {
    // As at a barrier of its own for each generation, which one who arrives completes.
    const void* told = static_cast<const char*>(op.object) + 1;
    return add_access(incarnation_key(told, static_cast<std::uint32_t>(op.value)),
                      op.kind == OpKind::tell ? Mode::arrive : Mode::leave,
                      op.value ^ op.size << 24, 1);
  }
  const Barrier& b = state_of<Barrier>(op);
  set_varies(Varies::mode);
  add_access(incarnation_key(op.object, b.incarnation), Mode::arrive, b.generation, b.needed);
}

// The memory that a step on an object uses, where accesses to it are events: to initialise and to
// destroy the object are such accesses, and so is a free. (Of a futex, only the wait looks at it.)
// Before or after those, the step may be another, or have to wait.
void record_use(const Op& op) {
  if (op.kind < OpKind::lock || op.kind > OpKind::hear || op.kind == OpKind::futex_wait) return;
  if (op.told) return;
  const auto use = [](const void* used) {
    if (used == nullptr) return;
    for_visible(used, 1, [](std::uint64_t memory) {
      add_access(memory, Mode::read);
      set_varies(Varies::anything);
    });
  };
  use(op.second);
  if (op.kind <= OpKind::write_unlock || op.kind > OpKind::futex_wait)
    if (op.kind < OpKind::leave) use(op.object);
}

}  // namespace

void record_range(const void* from, std::uint64_t size, bool writes) {
  add_range(from, size, writes ? Mode::write_in_block : Mode::read);
}

void record_time_out() { add_access(0, Mode::time_out); }

void record_joined(std::uint64_t threads) {
  for (; threads != 0; threads &= threads - 1) {
    const auto id = static_cast<std::uint64_t>(__builtin_ctzll(threads));
    add_access(id, Mode::joined, id);
  }
}

void record_accesses(const Op& op, unsigned id) {
  if (op.kind <= OpKind::free) {
    record_memory(op);
  } else if (op.kind <= OpKind::write_unlock) {
    record_lock(op);
  } else if (op.kind <= OpKind::futex_wait) {
    record_condition(op, id);
  } else if (op.kind <= OpKind::sem_post) {
    record_semaphore(op);
  } else if (op.kind <= OpKind::hear) {
    record_barrier(op);
  } else if (op.kind <= OpKind::join) {
    return add_access(op.value, op.kind == OpKind::create ? Mode::create : Mode::join, op.value);
  } else if (op.kind == OpKind::block) {
    set_varies(settings().block_choices != 0 ? Varies::choices : Varies::anything);
  } else if (op.kind == OpKind::exit) {
    for (std::uint32_t k = 0; k < settings().visible_count; ++k)
      if (settings().visible[k] != abi::at_exit) add_access(settings().visible[k], Mode::read);
  }
  if (any_visible()) record_use(op);
}

bool exchanges(const Op& op) {
  return op.size <= sizeof op.value ? value_at(op.object, op.size) == op.value
                                    : std::memcmp(op.object, op.second, op.size) == 0;
}

bool is_enabled(const Op& op, unsigned id) {
  switch (op.kind) {
    case OpKind::lock:
      return state_of<Mutex>(op).owner == 0;
    case OpKind::spin_lock:  // of one that has ended, the thread is told when it goes on
      return state_of<SpinLock>(op).owner == 0 || state_of<SpinLock>(op).has_ended();
    case OpKind::begin_once:
      return static_cast<const std::uint8_t*>(op.object)[1] == 0;
    case OpKind::read_lock:
      return state_of<RwLock>(op).writer == 0;
    case OpKind::write_lock:
      return state_of<RwLock>(op).writer == 0 && state_of<RwLock>(op).readers == 0;
    case OpKind::wake:
      return condition_at(op.object, op.group).can_wake(id);
    case OpKind::sem_wait:
      return state_of<Semaphore>(op).value > 0;
    case OpKind::leave:
      return fiber(id).generation.complete;
    case OpKind::hear:
      return fiber(id).generation.serial != Fiber::Serial::untold;
    case OpKind::join:
      return fiber(static_cast<unsigned>(op.value)).status == Fiber::Status::ended;
    default:
      return true;
  }
}

std::uint64_t held_up_by(const Op& op) {
  const auto set_of = [](std::uint32_t owner) {
    return owner == 0 || owner > abi::max_threads ? 0 : std::uint64_t{1} << (owner - 1);
  };
  switch (op.kind) {
    case OpKind::lock:
      return set_of(state_of<Mutex>(op).owner);
    case OpKind::spin_lock:
      return set_of(state_of<SpinLock>(op).owner);
    case OpKind::read_lock:
      return set_of(state_of<RwLock>(op).writer);
    case OpKind::write_lock: {
      std::uint64_t out = set_of(state_of<RwLock>(op).writer);
      // (Who passes the gate of one is not known.)
      for (unsigned id = 0; id < abi::max_threads && op.group == 0; ++id)
        if (state_of<RwLock>(op).held_by(id) != 0) out |= std::uint64_t{1} << id;
      return out;
    }
    case OpKind::join:
      return std::uint64_t{1} << op.value;
    default:
      return 0;
  }
}

void describe(const Op& op, char* out, std::uint64_t size) {
  const auto object = static_cast<unsigned long>(address_of(op.object));
  const auto holder = [&](std::uint32_t owner, const abi::Site* where) {
    if (owner == 0)
      std::snprintf(out, size, "the mutex {%#lx}", object);
    else if (where == nullptr)
      std::snprintf(out, size, "the mutex {%#lx}, which thread %u holds", object, owner - 1);
    else
      std::snprintf(out, size, "the mutex {%#lx}, which thread %u locked at %s:%u", object,
                    owner - 1, where->file, where->line);
  };
  switch (op.kind) {
    case OpKind::lock:
      return holder(state_of<Mutex>(op).owner, state_of<Mutex>(op).locked_at);
    case OpKind::spin_lock:
      return holder(state_of<SpinLock>(op).owner, nullptr);
    case OpKind::begin_once:
      std::snprintf(out, size, "an initialisation by another thread");
      return;
    case OpKind::read_lock:
    case OpKind::write_lock: {
      const std::uint32_t writer = state_of<RwLock>(op).writer;
      if (writer != 0)
        std::snprintf(out, size, "the readers-writer lock {%#lx}, which thread %u writes", object,
                      writer - 1);
      else
        std::snprintf(out, size, "the readers-writer lock {%#lx}, which is being read", object);
      return;
    }
    case OpKind::wake:
      std::snprintf(out, size, "a signal of {%#lx}", object);
      return;
    case OpKind::sem_wait:
      std::snprintf(out, size, "the semaphore {%#lx}", object);
      return;
    case OpKind::leave:
      std::snprintf(out, size, "%u more at the barrier {%#lx}",
                    state_of<Barrier>(op).needed - state_of<Barrier>(op).arrived, object);
      return;
    case OpKind::join:
      std::snprintf(out, size, "the end of thread %lu", static_cast<unsigned long>(op.value));
      return;
    default:
      std::snprintf(out, size, "its turn");
  }
}

}  // namespace heddle::runtime
