// The system call that the standard library waits with.
#pragma once

namespace heddle::runtime {

// With the arguments of the call.
long futex(const long* arguments);

}  // namespace heddle::runtime
