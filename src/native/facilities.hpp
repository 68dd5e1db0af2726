// What Heddle needs of the system, and what it does where the system refuses it.
//
// Containers and sandboxes refuse system calls, with EPERM or ENOSYS, and what they refuse to a
// process they refuse to those that it starts. So the engine tries each call that itself or the
// runtime cannot do without, in a way that has no effect, before it starts a program: later, a
// signal that is not caught would look like a fault of the program, and one that is not sent like a
// program that does not end.
#pragma once

namespace heddle::native {

// Throws Misuse, with the name of the call and what to do, if one is refused.
void check_facilities();

}  // namespace heddle::native
