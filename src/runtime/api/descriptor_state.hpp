// What is open, and what else the system keeps for a process that files depend on: positions and
// flags of what is open, the current directory, the mask for new files.
#pragma once

namespace heddle::runtime {

// Remembers all of it as it is when main begins, and puts it back. Nothing is done for programs
// that cannot change it.
void remember_descriptors(bool may_change);
void restore_descriptors();
bool are_descriptors_as_remembered();

// Makes a system call that closes descriptors or replaces them, by its number, but never those of
// the runtime. False: it is another call.
bool call_on_descriptors(long number, const long* arguments, long& result);

}  // namespace heddle::runtime
