// How a run ends when nobody can go on: everybody is done, or somebody waits for ever, or it is no
// run of the program because an assumption does not hold.
#pragma once

#include <cstdint>

#include "runtime/abi.h"
#include "runtime/fiber.hpp"
#include "runtime/op.hpp"
#include "runtime/savepoint.hpp"
#include "runtime/wire.h"

namespace heddle::runtime {

void clear_ending();
void save_ending(Savepoint& into);

// The process ends with this status while those threads are still there.
void note_exit(int status, std::uint64_t live);
// It has ended, and the run has so many events that the threads that are left are stopped: what
// they do, they could have done before, and they may have no end.
bool is_over(std::uint32_t events);
void note_left_running(const Fiber& f);

// The run takes more steps than it may, or a thread makes more choices; this one would be next.
void note_endless(const Fiber& next, const char* why);

// The run was given up because this thread has reached a bound.
void note_bound(const Fiber& f);

// These threads are left, and none of them can go on, or may.
abi::Ending judge_stuck(std::uint64_t live);

// Of threads that wait, those that wait for each other's locks, or for one whose holder has ended:
// they wait for ever, whatever others do.
std::uint64_t locked_up(std::uint64_t waiting);

// Whether some thread that was stopped in a loop would go on now, where these cannot. Leaves
// everything as it is; to be asked from the base.
bool would_spinner_go_on(std::uint64_t live);

// A thread that was stopped in a loop is tried once more, when nobody else can go on, to see
// whether it would leave the loop now. What it does meanwhile is not recorded.
namespace detail {
extern bool trying;
}
inline bool is_trying() { return detail::trying; }
unsigned try_step(const Op& op);
// It came round to the end of a loop again, nothing having happened; it enters a loop. `frame`
// tells where on the stack: the loop that it was stopped in is meant only if that is the same.
void try_spin(const abi::Site* loop, const void* frame);
void try_entry(const abi::Site* loop, const void* frame);
// It did something that others can see, or is about to call what could.
void try_effect();

}  // namespace heddle::runtime
