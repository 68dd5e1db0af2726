// What the files about locks, conditions and the like share.
#pragma once

#include "runtime/kernel/current.hpp"
#include "runtime/kernel/objects.hpp"
#include "runtime/kernel/op.hpp"
#include "runtime/kernel/state_hash.hpp"
#include "runtime/kernel/time_limit.hpp"
#include "runtime/memory/memory.hpp"

namespace heddle::runtime {

[[noreturn]] void misuse(const char* what);
[[noreturn]] void misuse_after_end(const char* what);

// The current thread, or before main the first.
unsigned self_id();

// A step on a synchronisation object. True: it timed out.
bool step_on(OpKind kind, void* object, TimeLimit limit = {}, std::uint8_t group = 0);

// What the thread learns by acquiring the object, and passes on to those that acquire it later.
void acquire_at(const void* object);
void release_at(const void* object);

// Something that other threads, or the thread itself, may see later. Locks are counted separately,
// see Effects; `shared` is a lock that is held for reading.
void count_effect();
enum class Sharing : std::uint8_t { alone, shared };
void count_taking(const void* lock, Sharing sharing = Sharing::alone);
void count_giving(const void* lock, Sharing sharing = Sharing::alone);
// The thread's attempt to acquire a lock has failed: it has seen that another thread holds it.
void count_failure(const void* lock);
// A recursive mutex that the thread holds anyway: once more, or once less.
void count_nesting(const Mutex& m, int levels);
void set_up_takings();
void clear_takings();
void save_takings(Savepoint& into);
void digest_holds(StateHash& into);

// The object is used: it has to exist, and not to have been destroyed. `what` is its kind.
template <typename Object>
Object& usable(void* object, const char* what) {
  if (is_running()) check_heap(object, 1);
  auto& state = as<Object>(object);
  if (is_running() && state.has_ended()) misuse_after_end(what);
  return state;
}

// Whether another thread waits to take such a step on the object.
bool is_awaited(const void* object, OpKind kind);

// Whether this is a thread's number + 1: before initialisation, an object may contain anything.
bool is_owner(std::uint32_t number);

// A thread that has been released from waiting in an object leaves it: a thread that destroys the
// object waits for that, one that only frees it does not. `incarnation` is the one at which the
// thread arrived.
void leave_object(void* object, std::uint64_t size, std::uint32_t incarnation);
void await_leaving(const void* object);

// Objects that other processes could use.
void refuse_shared(int pshared);

// Mutexes, for waits on conditions.
bool holds(const Mutex& m);
void take_mutex(Mutex& m);
Mutex& usable_mutex(void* object);
bool lock_mutex(void* object, TimeLimit limit = {});  // false: timed out
void unlock_mutex(void* object);
void release_mutex(Mutex& m);  // as part of another step

}  // namespace heddle::runtime
