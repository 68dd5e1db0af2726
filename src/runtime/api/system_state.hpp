// What the system keeps for the program, as far as it must be undone after a run: what is open and
// mapped, and as whom it runs.
#pragma once

namespace heddle::runtime {

// What is open and mapped when main begins stays so; the rest goes at the end of a run.
void remember_system();
void restore_system();
bool is_system_as_remembered();

}  // namespace heddle::runtime
