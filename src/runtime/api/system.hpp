// What programs ask of the system by functions, as far as it cannot be allowed, or the runtime does
// it.
#pragma once

namespace heddle::runtime {

// Before the first run: where the C library's own longjmp is.
void find_jump();

}  // namespace heddle::runtime
