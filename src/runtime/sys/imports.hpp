// What a program can do, judging by the functions that it and its libraries import.
#pragma once

namespace heddle::runtime {

// Whether the program may change what the system keeps for it, such as open files. False only if
// nothing that is loaded, except the system's own libraries, calls a function that could.
bool may_have_system();
// Whether it may have the system write to its memory. False only if, in addition, it has no
// instruction by which to enter the system itself.
bool may_enter_system();

}  // namespace heddle::runtime
