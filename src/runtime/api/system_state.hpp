// What the system keeps for the program, as far as it must be undone after a run: what is open and
// mapped, and the identity of the process.
#pragma once

namespace heddle::runtime {

// What is open and mapped when main begins stays so; the rest is undone at the end of a run.
void remember_system();
void restore_system();
bool is_system_as_remembered();

}  // namespace heddle::runtime
