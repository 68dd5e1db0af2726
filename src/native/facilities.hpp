// The system calls that Heddle needs, and what it does if the system refuses one.
//
// Containers and sandboxes refuse system calls, with EPERM or ENOSYS, and what they refuse to a
// process they refuse to those that it starts. So before it starts a program, the engine tries each
// call that it or the runtime cannot do without, in a way that has no effect. If that were noticed
// only later, a signal that cannot be caught would look like a fault of the program, and one that
// cannot be sent like a program that does not end.
#pragma once

namespace heddle::native {

// Throws Misuse, with the name of the call and what to do, if one is refused.
void check_facilities();

}  // namespace heddle::native
