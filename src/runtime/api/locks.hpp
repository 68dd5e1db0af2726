// What the files about locks, conditions and the like share.
#pragma once

#include "runtime/kernel/current.hpp"
#include "runtime/kernel/objects.hpp"
#include "runtime/kernel/op.hpp"
#include "runtime/kernel/time_limit.hpp"
#include "runtime/memory/memory.hpp"

namespace heddle::runtime {

[[noreturn]] void misuse(const char* what);
[[noreturn]] void misuse_after_end(const char* what);

// The current thread, or before main the first.
unsigned self_id();

// A step on a synchronisation object. True: it gave up waiting at its time limit.
bool step_on(OpKind kind, void* object, const TimeLimit& limit = {}, std::uint8_t group = 0);

// What the thread gets to know by taking the object, and gives to those who take it later.
void acquire_at(const void* object);
void release_at(const void* object);

// Something that others, or the thread itself, may see later. Locks are counted by themselves, see
// Effects; `shared` is a lock that is held for reading.
void count_effect();
enum class Sharing : std::uint8_t { alone, shared };
void count_taking(const void* lock, Sharing sharing = Sharing::alone);
void count_giving(const void* lock, Sharing sharing = Sharing::alone);
// The thread's attempt to take a lock has failed: who holds it has been seen to.
void count_failure(const void* lock);
// A recursive mutex that the thread holds anyway: once more, or once less.
void count_nesting(const Mutex& m, int levels);
void set_up_takings();
void clear_takings();
void save_takings(Savepoint& into);

// The object is used: it has to be there, and not to have been destroyed. `what` is its kind.
template <typename Object>
Object& usable(void* object, const char* what) {
  if (is_running()) check_heap(object, 1);
  auto& state = as<Object>(object);
  if (is_running() && state.has_ended()) misuse_after_end(what);
  return state;
}

// Somebody waits to take such a step on the object.
bool is_awaited(const void* object, OpKind kind);

// Whether this is a thread's number + 1: what an object had before it was initialised may be
// anything.
bool is_owner(std::uint32_t number);

// Who has been let go on from where it waited in an object leaves it: whoever destroys the object
// waits for that, whoever only frees it does not. `incarnation` is that of when it came.
void leave_object(void* object, std::uint64_t size, std::uint32_t incarnation);
void await_leaving(const void* object);

// Objects that other processes could use.
void refuse_shared(int pshared);

// Mutexes, for those who wait on conditions.
bool holds(const Mutex& m);
void take_mutex(Mutex& m);
Mutex& usable_mutex(void* object);
bool lock_mutex(void* object, const TimeLimit& limit = {});  // false: gave up
void unlock_mutex(void* object);
void release_mutex(Mutex& m);  // in the course of another step

}  // namespace heddle::runtime
