// The identity of the process to the system, and what it may use: users, groups, limits.
#pragma once

namespace heddle::runtime {

void remember_identity();
void restore_identity();
bool is_identity_as_remembered();

// Makes a system call that changes them, by its number. False: it is another call.
bool call_on_identity(long number, const long* arguments, long& result);

}  // namespace heddle::runtime
