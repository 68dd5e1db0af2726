// The state of synchronisation objects, kept inside the pthread objects themselves: so it is reset
// with the program's memory. All zeros is what the static initialisers produce.
#pragma once

#include <pthread.h>
#include <semaphore.h>
#include <threads.h>

#include <cstddef>
#include <cstdint>

#include "runtime/abi/wire.h"
#include "runtime/sys/check.hpp"

namespace heddle::runtime {

// Left in an object that has been destroyed, where that is not recorded otherwise.
inline constexpr std::uint32_t ended_mark = 0xfffffffe;

struct Mutex {
  std::uint32_t owner;  // thread + 1
  std::uint32_t count;
  std::uint32_t unused[2];
  std::uint32_t kind;  // where glibc has it, for the static initialisers
  std::uint32_t unused_too;
  const abi::Site* locked_at;

  enum : std::uint32_t { normal = 0, recursive = 1, error_check = 2 };
  std::uint32_t type() const { return kind & 3; }
  bool has_ended() const { return kind == ended_mark; }
};
static_assert(sizeof(Mutex) <= sizeof(pthread_mutex_t) && sizeof(Mutex) <= sizeof(mtx_t));
static_assert(offsetof(Mutex, kind) == offsetof(pthread_mutex_t, __data.__kind) &&
              sizeof(Mutex::kind) == sizeof(pthread_mutex_t::__data.__kind));
static_assert(int{Mutex::normal} == int{PTHREAD_MUTEX_NORMAL} &&
              int{Mutex::recursive} == int{PTHREAD_MUTEX_RECURSIVE} &&
              int{Mutex::error_check} == int{PTHREAD_MUTEX_ERRORCHECK});

struct RwLock {
  std::uint32_t writer;  // thread + 1
  std::uint32_t readers;
  std::uint8_t held[32];  // by thread, four bits each: how many read locks it holds
  std::uint32_t gate[2];  // if writers come first: its writer and readers
  std::uint32_t kind;     // where glibc has it, for the static initialisers

  bool has_ended() const { return kind == ended_mark; }

  unsigned held_by(unsigned thread) const { return held[thread / 2] >> (thread % 2 * 4) & 15; }
  void add_held(unsigned thread, int n) {
    held[thread / 2] = static_cast<std::uint8_t>(held[thread / 2] + (n << (thread % 2 * 4)));
  }
};
static_assert(sizeof(RwLock) <= sizeof(pthread_rwlock_t) &&
              offsetof(RwLock, kind) == offsetof(pthread_rwlock_t, __data.__flags));
static_assert(2 * sizeof(RwLock::held) == abi::max_threads);

// There is no static initialiser: all zeros is a spinlock that no thread can acquire.
struct SpinLock {
  std::uint16_t owner;  // thread + 1
  std::uint16_t mark;

  enum : std::uint16_t { begun = 0x5b1c, ended = 0xfffe };
  bool has_ended() const { return mark != begun; }  // or has not begun
};
static_assert(sizeof(SpinLock) <= sizeof(pthread_spinlock_t) && abi::max_threads < 0xffff);

// Which threads wait is not in the object: see condition.hpp.
struct ConditionState {
  std::uint32_t mark;
  bool has_ended() const { return mark == ended_mark; }
};

static_assert(sizeof(ConditionState) <= sizeof(pthread_cond_t) &&
              sizeof(ConditionState) <= sizeof(cnd_t));

// Whether a process can have memory there at all. If not, the address does not fit into an access.
inline bool is_possible(const void* address) {
  return reinterpret_cast<std::uint64_t>(address) >> abi::address_bits == 0;
}

// Objects may be initialised again: then they are new ones, at the same address.
inline std::uint64_t incarnation_key(const void* object, std::uint32_t incarnation) {
  HEDDLE_RUNTIME_CHECK(is_possible(object));
  return reinterpret_cast<std::uint64_t>(object) |
         std::uint64_t{incarnation & ((1U << abi::incarnation_bits) - 1)} << abi::address_bits;
}

struct Semaphore {
  std::uint32_t value;
  std::uint32_t initial;
  std::uint32_t incarnation;
  std::uint32_t mark;
  bool has_ended() const { return mark == ended_mark; }
};
static_assert(sizeof(Semaphore) <= sizeof(sem_t));

struct Barrier {
  std::uint32_t needed;  // 0: it has ended, or has not begun
  std::uint32_t arrived;
  std::uint32_t generation;
  std::uint32_t incarnation;
  std::uint64_t arrivals;  // threads that have arrived
  std::uint64_t lookers;   // those of them that ask whether they are the serial one
  bool has_ended() const { return needed == 0; }
};
static_assert(sizeof(Barrier) <= sizeof(pthread_barrier_t));

template <typename T>
T& as(void* object) {
  return *static_cast<T*>(object);
}

}  // namespace heddle::runtime
