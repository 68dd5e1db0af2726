// What programs ask of the system, as far as it must be undone after a run, or cannot be allowed.
#pragma once

namespace heddle::runtime {

// What is open and mapped when main begins stays so; the rest goes at the end of a run.
void remember_system();
void restore_system();
bool is_system_as_remembered();

// What a function of the C library returns where the system returned this; errno is set.
long result_of(long result);

}  // namespace heddle::runtime
