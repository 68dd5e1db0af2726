// System calls, by their number, that do what a function of the same name does.
#pragma once

namespace heddle::runtime {

// Reports what the call does to memory, and whether it changes something outside of the process.
// False: it is not known.
bool tell_call(long number, const long* arguments);

}  // namespace heddle::runtime
